import Counting
import Synchronization

/// What has become of the camera.
enum CameraNews: BitwiseCopyable, Sendable, Equatable {
  /// There is none, for this reason; it is looked for.
  case lost(Degradation)
  /// It works, but not as it should.
  case degraded(Degradation)
}

/// News on their way from the camera's thread to the loop, in order.
struct NewsQueue: ~Copyable {
  /// How many fit. The camera's thread waits while it is full, so that none is lost.
  static let capacity: UInt32 = 8

  private let written = Atomic<UInt32>(0)
  private let taken = Atomic<UInt32>(0)
  private let places: UnsafeMutablePointer<CameraNews>

  /// Makes an empty queue.
  /// - Parameter places: room for `capacity` of them, owned by the caller.
  init(places: UnsafeMutablePointer<CameraNews>) {
    places.initialize(repeating: .lost(.cameraMissing), count: Int(NewsQueue.capacity))
    self.places = places
  }

  /// Whether there is room for two more. For the camera's thread.
  var hasRoom: Bool {
    written.load(ordering: .relaxed) &- taken.load(ordering: .acquiring) < NewsQueue.capacity - 1
  }

  /// Adds one; one that does not fit is left out. For the camera's thread.
  func add(_ news: CameraNews) {
    let number = written.load(ordering: .relaxed)
    if number &- taken.load(ordering: .acquiring) >= NewsQueue.capacity { return }
    places[Int(number % NewsQueue.capacity)] = news
    written.store(number &+ 1, ordering: .releasing)
  }

  /// Takes the oldest. For the loop.
  func take() -> CameraNews? {
    let number = taken.load(ordering: .relaxed)
    if number == written.load(ordering: .acquiring) { return nil }
    let news = places[Int(number % NewsQueue.capacity)]
    taken.store(number &+ 1, ordering: .releasing)
    return news
  }
}
