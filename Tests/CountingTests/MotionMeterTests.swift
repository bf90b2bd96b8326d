import Frames
import Testing

@testable import Counting

@Suite struct MotionMeterTests {
  private let width = 320
  private let height = 240

  /// A textured grey picture, each pixel the result of `shade` at its place, with sensor noise.
  private func picture(seed: UInt64, _ shade: (Int, Int) -> Double) -> [UInt8] {
    var generator = SplitMix(state: seed)
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let noise = Double.random(in: -8...8, using: &generator)
        let level = UInt8(min(255, max(0, shade(x, y) + noise)))
        bytes += [level, level, level]
      }
    }
    return bytes
  }

  /// Shows pictures one after the other; tells of each whether it was motion.
  private func motion(_ pictures: [[UInt8]], width: Int = 320, height: Int = 240) -> [Bool] {
    var meter = MotionMeter()
    return pictures.map { bytes in
      bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return true }
        return meter.isMoving(
          in: ImageView(base: base, width: width, height: height, stride: 3 * width))
      }
    }
  }

  private func table(_ x: Int, _ y: Int) -> Double { Double(80 + (x / 10 + y / 10) % 2 * 60) }

  @Test func sensorNoiseIsNotMotion() {
    let pictures = (1...5).map { picture(seed: $0, table) }
    #expect(motion(pictures) == [false, false, false, false, false])
  }

  @Test func aLampSwitchedOnOrDimmedIsNotMotion() {
    let brighter = picture(seed: 2) { table($0, $1) * 1.5 }
    let dimmer = picture(seed: 3) { table($0, $1) * 0.7 }
    #expect(motion([picture(seed: 1, table), brighter, dimmer]) == [false, false, false])
  }

  @Test func aHandComingInIsMotionUntilItRests() {
    let hand = { (x: Int, y: Int) in x < 80 && y < 120 ? 190 : table(x, y) }
    let pictures = [picture(seed: 1, table), picture(seed: 2, hand), picture(seed: 3, hand)]
    #expect(motion(pictures) == [false, true, false])
  }

  @Test func aSoftShadowPassingIsNotMotion() {
    let pictures = (0..<8).map { step in
      picture(seed: UInt64(step + 1)) { x, y in
        let inside = min(1, max(0, Double(x - 320 + 60 * step) / 120))
        return table(x, y) * (1 - 0.4 * inside)
      }
    }
    #expect(motion(pictures) == [Bool](repeating: false, count: 8))
  }

  @Test func aNoisySensorInTheDarkIsNotMotion() {
    let pictures = (1...10).map { seed in
      picture(seed: UInt64(seed)) { x, y in 0.2 * table(x, y) }
    }
    #expect(motion(pictures) == [Bool](repeating: false, count: 10))
  }

  @Test func aTableThatIsShakenMovesForAsLongAsItIs() {
    let pictures = (0..<25).map { step in
      picture(seed: UInt64(step + 1)) { x, y in table(x + step % 2 * 5, y + step % 3 * 4) }
    }
    #expect(motion(pictures).dropFirst().allSatisfy { $0 })
  }

  @Test func aKnockedCameraIsMotion() {
    let knocked = picture(seed: 2) { table($0 + 6, $1 + 4) }
    #expect(motion([picture(seed: 1, table), knocked]) == [false, true])
  }

  @Test func theSmallestPicturesAreMeasuredWithoutLeavingThem() {
    for (width, height) in [(1, 1), (3, 2), (41, 31), (39, 29)] {
      let bytes = [UInt8](repeating: 50, count: width * height * 3)
      #expect(motion([bytes, bytes], width: width, height: height) == [false, false])
    }
  }
}
