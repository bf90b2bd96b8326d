import Testing

@testable import Loop

@Suite struct FrameClockTests {
  @Test func timesFollowFromTheFrameNumber() {
    let clock = FrameClock(numerator: 30_000, denominator: 1001, isPaced: false)
    #expect(clock.milliseconds(of: 0) == 0)
    #expect(clock.milliseconds(of: 1) == 33)
    #expect(clock.milliseconds(of: 30_000) == 1_001_000)
  }

  @Test func framesAreNotHeldBackUnlessPaced() {
    var free = FrameClock(numerator: 1, denominator: 1000, isPaced: false)
    free.begin()
    #expect(free.wait(for: 1_000_000) == 0)
    var paced = FrameClock(numerator: 1, denominator: 1000, isPaced: true)
    paced.begin()
    #expect(paced.wait(for: 0) == 0)
    #expect(paced.wait(for: 1) > 900_000)
  }

  @Test func anAbsurdFrameNumberDoesNotOverflow() {
    let clock = FrameClock(numerator: 1, denominator: 1000, isPaced: false)
    #expect(clock.milliseconds(of: .max) == .max)
  }
}
