import Foundation
import Frames
import Testing

@Suite struct PolarUnwrapTests {
  private let unwrap = PolarUnwrap()

  /// A patch of what `colour` says at each place, in coin radii from the centre.
  private func patch(
    radius: Double = 48, x: Double = 72, y: Double = 72, _ colour: (Double, Double) -> Double
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: SquarePatch.byteCount)
    for row in 0..<SquarePatch.side {
      for column in 0..<SquarePatch.side {
        let value = colour(
          (Double(column) + 0.5 - x) / radius, (Double(row) + 0.5 - y) / radius)
        for channel in 0..<3 {
          bytes[3 * (row * SquarePatch.side + column) + channel] = UInt8(
            max(0, min(255, value + Double(channel) * 9)))
        }
      }
    }
    return bytes
  }

  private func unwrapped(
    _ patch: [UInt8], x: Float = 72, y: Float = 72, radius: Float = 48,
    stretch: Stretch = .none, turn: Float = 0
  ) -> [Int] {
    var output = [Int8](repeating: 0, count: PolarUnwrap.valueCount)
    var span = output.mutableSpan
    unwrap.unwrap(
      patch.span, x: x, y: y, radius: radius, stretch: stretch, turn: turn, into: &span)
    return output.map { Int($0) + 128 }
  }

  private func design(_ x: Double, _ y: Double) -> Double {
    let angle = atan2(y, x)
    return 120 + 50 * cos(angle + 0.4) + 30 * sin(3 * angle) * min(1, hypot(x, y))
  }

  @Test func everyValueIsThatOfItsRadiusAndAngle() {
    let output = unwrapped(patch(design))
    for row in 6..<PolarUnwrap.radiusCount {
      for column in 0..<PolarUnwrap.angleCount {
        let radius = (Double(row) + 0.5) / 48 * 1.10
        let angle = 2 * Double.pi * (Double(column) + 0.5) / 160
        let expected = design(radius * cos(angle), radius * sin(angle))
        for channel in 0..<3 {
          let value = output[3 * (row * 160 + column) + channel]
          #expect(abs(Double(value) - expected - Double(channel) * 9) <= 2.5)
        }
      }
    }
  }

  @Test func turningTheCoinOnlyShiftsTheColumnsAtAll360Angles() {
    // Columns are 2.25 degrees apart, so a coin turned by `degree` is the same as one that starts
    // `degree` further round.
    let still = patch(design)
    for degree in 0..<360 {
      let turn = Double(degree) * .pi / 180
      let turned = patch { x, y in
        design(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn))
      }
      let expected = unwrapped(still, turn: Float(turn))
      let output = unwrapped(turned)
      var worst = 0
      for index in (3 * 160 * 6)..<output.count {
        worst = max(worst, abs(output[index] - expected[index]))
      }
      #expect(worst <= 4, "at \(degree) degrees")
    }
  }

  @Test func anEllipseUnrollsAsTheCircleItWas() {
    let circle = unwrapped(patch(design))
    for (ratio, axis) in [(1.3, 0.0), (1.2, 0.7), (1.45, 2.2), (1.0, 1.0)] {
      let strain = log(ratio)
      let stretch = Stretch(
        cosineStrain: Float(strain * cos(2 * axis)), sineStrain: Float(strain * sin(2 * axis)))
      let grow = sqrt(ratio)
      let seen = patch(radius: 44) { x, y in
        // Undo the stretch along its own axes: the semi-axes are a and b.
        let along = (x * cos(axis) + y * sin(axis)) / grow
        let across = (-x * sin(axis) + y * cos(axis)) * grow
        return design(
          along * cos(axis) - across * sin(axis), along * sin(axis) + across * cos(axis))
      }
      let output = unwrapped(seen, radius: 44, stretch: stretch)
      for index in (3 * 160 * 8)..<output.count {
        #expect(abs(output[index] - circle[index]) <= 5)
      }
    }
  }

  @Test func aStretchKeepsTheAreaAndHasTheAxesAskedFor() {
    for (ratio, axis) in [(1.5, 0.3), (2.0, 1.9), (1.01, 3.0)] {
      let stretch = Stretch(
        cosineStrain: Float(log(ratio) * cos(2 * axis)),
        sineStrain: Float(log(ratio) * sin(2 * axis)))
      let determinant = stretch.xx * stretch.yy - stretch.xy * stretch.xy
      #expect(abs(determinant - 1) < 1e-5)
      let x = Float(cos(axis))
      let y = Float(sin(axis))
      let grow = Float(sqrt(ratio))
      #expect(abs(stretch.xx * x + stretch.xy * y - grow * x) < 1e-5)
      #expect(abs(stretch.xy * x + stretch.yy * y - grow * y) < 1e-5)
    }
  }

  @Test func anOutlineBeyondThePatchReadsItsEdge() {
    let plain = patch { _, _ in 90 }
    for (x, y, radius) in [
      (Float(-500), Float(72), Float(48)), (72, 1e9, 48), (72, 72, 1e6), (144, 144, 0),
    ] {
      let output = unwrapped(plain, x: x, y: y, radius: radius)
      #expect(output.indices.allSatisfy { output[$0] == 90 + 9 * ($0 % 3) })
    }
  }
}
