import Counting
import Detection
import Learning

/// Where lessons are given: one at a time, and what they teach is kept in the file.
public struct Classroom: ~Copyable {
  private let path: UnsafePointer<CChar>?
  private let model: UInt32
  private var teacher: Teacher?

  /// Whether the last lesson has taught a coin and it is on the disk.
  public private(set) var hasLearned = false

  /// Makes a classroom.
  /// - Parameters:
  ///   - path: NUL-terminated path of the file of taught coins, which must stay; `nil` to keep them
  ///     in memory alone.
  ///   - model: checksum of the model in use.
  public init(path: UnsafePointer<CChar>?, model: UInt32) {
    self.path = path
    self.model = model
  }

  /// Whether a lesson is being given.
  public var isTeaching: Bool { teacher != nil }

  /// Begins a lesson, in the place of one being given; returns the step to tell of.
  public mutating func begin(_ teacher: Teacher) -> Lesson {
    self.teacher = teacher
    hasLearned = false
    return lesson(.begin, of: teacher)
  }

  /// Takes in the coins of one frame; returns the step to tell of, if any.
  /// - Parameters:
  ///   - coins: what was found.
  ///   - look: how the coin looks, where there is one.
  ///   - isMoving: whether the scene is in motion.
  ///   - pixelsPerMillimetre: of the picture; 0 where the tray has not been calibrated.
  public mutating func take(
    _ coins: Span<Detection>, look: Embedding, isMoving: Bool, pixelsPerMillimetre: Float
  ) -> Lesson? {
    guard var current = teacher else { return nil }
    let step = current.take(
      coins, isMoving: isMoving, pixelsPerMillimetre: pixelsPerMillimetre
    ) { _ in look }
    teacher = current
    return step.map { lesson($0, of: current) }
  }

  /// Whether the lesson has nothing more to do.
  public var isOver: Bool {
    guard let teacher else { return false }
    return teacher.isComplete || teacher.isKnown
  }

  /// Ends the lesson; `taught` has the coin from here on if there were enough views. Returns the
  /// step to tell of; `nil` where everything has been told.
  public mutating func finish(_ taught: inout TaughtCoins) -> Lesson? {
    guard let ended = teacher else { return nil }
    teacher = nil
    if ended.isKnown { return nil }
    let views = ended.kind.viewCount
    if views < Teacher.fewestViews { return lesson(.ended(views: views), of: ended) }
    if !taught.add(ended.kind) { return lesson(.full, of: ended) }
    hasLearned = save(taught)
    return lesson(.learned(views: views, isSaved: hasLearned), of: ended)
  }

  private func save(_ coins: borrowing TaughtCoins) -> Bool {
    guard let path else { return false }
    do throws(LearnedFileError) {
      try TaughtFile.write(path, coins, model: model)
      return true
    } catch {
      return false
    }
  }

  private func lesson(_ step: Lesson.Step, of teacher: Teacher) -> Lesson {
    Lesson(step, name: teacher.kind.name, value: teacher.kind.value)
  }
}
