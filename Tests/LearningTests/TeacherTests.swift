import Counting
import Testing

@testable import Detection
@testable import Learning

/// A way to look, in the direction of one dimension and a little of others.
func look(_ main: Int, _ noise: [Int: Int8] = [:]) -> Embedding {
  var look = Embedding(angles: 1, features: 64)
  look.values[main] = 127
  for (index, value) in noise { look.values[index] = value }
  return look
}

/// A name.
func name(_ text: String) -> CoinName {
  let bytes = Array(text.utf8)
  return CoinName(bytes.span) ?? CoinName()
}

/// A coin that is not named, or one of a value.
func coin(x: Float = 100, y: Float = 100, value: Int32 = 0) -> Detection {
  Detection(
    x: x, y: y, diameter: 60, value: value, isWithdrawn: false, confidence: 0.9,
    posterior: InlineArray(repeating: 1 / 6))
}

@Suite struct TeacherTests {
  private func teacher(stillFrames: Int = 3) -> Teacher {
    Teacher(name: name("ringgit"), value: 0, stillFrames: stillFrames)
  }

  /// Shows coins for some frames; returns what the teacher says.
  private func show(
    _ teacher: inout Teacher, _ coins: [Detection], frames: Int = 1, isMoving: Bool = false,
    look seen: Embedding = look(0)
  ) -> [Lesson.Step] {
    var steps: [Lesson.Step] = []
    for _ in 0..<frames {
      if let step = teacher.take(coins.span, isMoving: isMoving, look: { _ in seen }) {
        steps.append(step)
      }
    }
    return steps
  }

  @Test func aViewIsTakenOnceTheCoinLiesStill() {
    var teacher = teacher()
    #expect(show(&teacher, [coin()], frames: 2).isEmpty)
    #expect(show(&teacher, [coin()], frames: 20) == [.view(face: 1, number: 1)])
  }

  @Test func theNextViewIsTakenAfterTheCoinHasBeenMoved() {
    var teacher = teacher()
    _ = show(&teacher, [coin()], frames: 5)
    #expect(show(&teacher, [coin(x: 140)], frames: 5) == [.view(face: 1, number: 2)])
    _ = show(&teacher, [], frames: 2)
    #expect(show(&teacher, [coin(x: 140)], frames: 5) == [.view(face: 1, number: 3)])
    _ = show(&teacher, [coin(x: 140)], isMoving: true)
    #expect(show(&teacher, [coin(x: 140)], frames: 5) == [.view(face: 1, number: 4)])
  }

  @Test func fiveViewsOfEachFaceAreALesson() {
    var teacher = teacher(stillFrames: 1)
    var steps: [Lesson.Step] = []
    while !teacher.isComplete { steps += show(&teacher, [coin()]) }
    #expect(steps.count == 10 && teacher.kind.viewCount == 10)
    #expect(steps[4] == .flip)
    #expect(steps[5] == .view(face: 2, number: 1) && steps[9] == .view(face: 2, number: 5))
  }

  @Test func severalCoinsAreToldOfOnceAndNotTaken() {
    var teacher = teacher()
    #expect(show(&teacher, [coin(), coin(x: 300)], frames: 9) == [.several])
    #expect(teacher.kind.viewCount == 0)
    #expect(show(&teacher, [coin()], frames: 5) == [.view(face: 1, number: 1)])
  }

  @Test func aCoinTheClassifierNamesIsKnown() {
    var teacher = teacher(stillFrames: 1)
    let steps = show(&teacher, [coin(value: 500)], frames: 3)
    #expect(steps.last == .known(500))
    #expect(teacher.isKnown)
  }

  @Test func oneNamedViewAmongOthersDoesNotMakeItKnown() {
    var teacher = teacher(stillFrames: 1)
    _ = show(&teacher, [coin(value: 500)], frames: 2)
    _ = show(&teacher, [coin()], frames: 8)
    #expect(teacher.isComplete && !teacher.isKnown)
  }

  @Test func aCoinsSizeIsLearnedWhereItIsKnownInEveryView() {
    var teacher = teacher(stillFrames: 1)
    for pixels in [2.5, 2.4] as [Float] {
      _ = teacher.take([coin()].span, isMoving: false, pixelsPerMillimetre: pixels) { _ in look(0) }
    }
    #expect(abs(teacher.kind.millimetres - 24.5) < 0.01)
    _ = teacher.take([coin()].span, isMoving: false) { _ in look(0) }
    #expect(teacher.kind.millimetres == 0)
  }
}
