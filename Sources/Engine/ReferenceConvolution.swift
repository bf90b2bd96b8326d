/// The convolutions as their definition has them. Slow, and what every vector form must equal.
enum ReferenceConvolution {
  /// Dense convolution, weights `[O, KH, KW, I]`.
  static func dense(_ step: borrowing Step) {
    let window = step.window
    let depth = step.source.channels
    let zero = step.source.zeroPoint
    let taps = window.kernelHeight * window.kernelWidth
    for y in 0..<step.target.height {
      for x in 0..<step.target.width {
        let target = step.target.base + (y * step.target.width + x) * step.target.channels
        for channel in 0..<step.target.channels {
          var sum = step.bias(channel)
          var weights = step.weights + channel * taps * depth
          for kernelY in 0..<window.kernelHeight {
            let row = step.sourceRow(y * window.strideY + kernelY)
            for kernelX in 0..<window.kernelWidth {
              let column = step.sourceColumn(x * window.strideX + kernelX)
              if row >= 0 && column >= 0 {
                let source = step.source.base + (row * step.source.width + column) * depth
                for index in 0..<depth {
                  sum &+= (Int32(source[index]) &- zero) &* Int32(weights[index])
                }
              }
              weights += depth
            }
          }
          let scaled = requantised(sum, step.multiplier(channel), step.shift(channel))
          target[channel] = clampedOutput(scaled, step)
        }
      }
    }
  }

  /// One filter for each channel, weights `[KH, KW, C]`.
  static func depthwise(_ step: borrowing Step) {
    let window = step.window
    let channels = step.target.channels
    for y in 0..<step.target.height {
      for x in 0..<step.target.width {
        let target = step.target.base + (y * step.target.width + x) * channels
        for channel in 0..<channels {
          var sum = step.bias(channel)
          for kernelY in 0..<window.kernelHeight {
            let row = step.sourceRow(y * window.strideY + kernelY)
            for kernelX in 0..<window.kernelWidth {
              let column = step.sourceColumn(x * window.strideX + kernelX)
              if row >= 0 && column >= 0 {
                let value = step.source.base[
                  (row * step.source.width + column) * channels + channel]
                let weight = step.weights[
                  (kernelY * window.kernelWidth + kernelX) * channels + channel]
                sum &+= (Int32(value) &- step.source.zeroPoint) &* Int32(weight)
              }
            }
          }
          let scaled = requantised(sum, step.multiplier(channel), step.shift(channel))
          target[channel] = clampedOutput(scaled, step)
        }
      }
    }
  }
}
