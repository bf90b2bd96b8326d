import CKernels

extension FrameView {
  /// Draws the frame into `output` as `box` says: what converting it to red, green, blue and
  /// drawing that gives, bit for bit, without the converted frame ever being in memory.
  ///
  /// - Parameters:
  ///   - box: made for this frame's size, at most `ScaledRows.widest` wide.
  ///   - output: `box.height` rows of `box.width` pixels of red, green and blue, each less 128.
  public func draw(_ box: Letterbox, into output: inout MutableSpan<Int8>) {
    precondition(output.count == 3 * box.width * box.height)
    var bytes = InlineArray<9731, UInt32>(repeating: 0)
    var span = bytes.mutableSpan
    precondition(4 * span.count == ScaledRows.scratchBytes)
    span.withUnsafeMutableBytes { scratch in
      output.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress, let scratch = scratch.baseAddress else { return }
        var rows = ScaledRows(self, box, scratch: scratch)
        for row in 0..<box.height {
          rows.write(row, into: start + 3 * row * box.width, pixelBytes: 3, sign: 0)
        }
      }
    }
  }

  /// Takes the square patch around a coin: what converting the frame to red, green, blue and
  /// `ImageView.takePatch` give, bit for bit, converting no more than the patch shows.
  ///
  /// - Parameters:
  ///   - x: centre in pixels.
  ///   - y: centre in pixels.
  ///   - diameter: of the coin, in pixels.
  ///   - patch: `SquarePatch.byteCount` bytes.
  public func takePatch(x: Float, y: Float, diameter: Float, into patch: inout MutableSpan<UInt8>) {
    withRows { rows in rows.takeSquare(x: x, y: y, diameter: diameter, into: &patch) }
  }

  private func withRows(_ body: (inout FrameRows) -> Void) {
    var bytes = InlineArray<6156, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    precondition(span.count == FrameRows.byteCount)
    span.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var rows = FrameRows(self, buffer: base)
      body(&rows)
    }
  }
}
