/// The pools as their definition has them.
enum ReferencePool {
  /// The mean of each channel; the multiplier contains the division.
  static func averageGlobal(_ step: borrowing Step) {
    let channels = step.source.channels
    for channel in 0..<channels {
      var sum: Int32 = 0
      for place in 0..<step.source.height * step.source.width {
        sum += Int32(step.source.base[place * channels + channel]) - step.source.zeroPoint
      }
      step.target.base[channel] = clampedOutput(
        requantised(sum, step.multiplier, step.shift), step)
    }
  }

  /// The largest element of each window; padding never wins.
  static func max(_ step: borrowing Step) {
    let window = step.window
    let channels = step.source.channels
    for y in 0..<step.target.height {
      for x in 0..<step.target.width {
        let target = step.target.base + (y * step.target.width + x) * channels
        for channel in 0..<channels {
          var largest: Int8 = -128
          for kernelY in 0..<window.kernelHeight {
            let row = step.sourceRow(y * window.strideY + kernelY)
            for kernelX in 0..<window.kernelWidth {
              let column = step.sourceColumn(x * window.strideX + kernelX)
              if row >= 0 && column >= 0 {
                let place = (row * step.source.width + column) * channels + channel
                largest = Swift.max(largest, step.source.base[place])
              }
            }
          }
          target[channel] = largest
        }
      }
    }
  }
}
