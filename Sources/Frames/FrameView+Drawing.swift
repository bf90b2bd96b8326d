import CKernels

extension FrameView {
  /// The widest frame that can be drawn or cut: eight times the widest camera's.
  public static let widestDrawn = 32768

  /// Draws the frame into `output` as `box` says: what converting it to red, green, blue and
  /// drawing that gives, bit for bit, without the converted frame ever being in memory.
  ///
  /// Precondition: the frame is at most `widestDrawn` wide.
  ///
  /// - Parameters:
  ///   - box: made for this frame's size.
  ///   - output: `box.height` rows of `box.width` pixels of red, green and blue, each less 128.
  public func draw(_ box: Letterbox, into output: inout MutableSpan<Int8>) {
    precondition(box.sourceWidth == width && box.sourceHeight == height)
    precondition(width <= Self.widestDrawn)
    precondition(output.count == 3 * box.width * box.height)
    box.clearBorder(of: &output)
    output.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      let corner = start + 3 * (box.top * box.width + box.left)
      let pitch = 3 * box.width
      let axes = box.axes
      if !ckernels_frame_is_fast() {
        withRows { rows in rows.draw(box, corner: corner) }
      } else if width == 2 * box.innerWidth && height == 2 * box.innerHeight {
        halve(into: corner, pitch: pitch)
      } else if axes.horizontal.shrinks && axes.vertical.shrinks {
        average(axes.horizontal, axes.vertical, box, into: corner, pitch: pitch)
      } else {
        withRows { rows in rows.draw(box, corner: corner) }
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

  /// The mean of two by two pixels.
  private func halve(into output: UnsafeMutablePointer<Int8>, pitch: Int) {
    for row in 0..<height / 2 {
      var above = vectorRow(2 * row, from: 0, count: width)
      var below = vectorRow(2 * row + 1, from: 0, count: width)
      ckernels_frame_halve(&above, &below, output + row * pitch)
    }
  }

  /// The mean by area: whole lines are weighed and added up by vectors, then columns.
  private func average(
    _ horizontal: Axis, _ vertical: Axis, _ box: Letterbox,
    into output: UnsafeMutablePointer<Int8>, pitch: Int
  ) {
    let capacity = LineSums.columnCapacity
    let most = max(1, min(blockColumns, (capacity - 3) * horizontal.unit / horizontal.step))
    var sums = LineSums()
    var first = 0
    while first < box.innerWidth {
      let count = min(most, box.innerWidth - first)
      for row in 0..<box.innerHeight {
        sums.add(self, columns: first..<first + count, row: row, horizontal, vertical)
        sums.store(
          columns: first..<first + count, horizontal, vertical, width: width,
          into: output + row * pitch + 3 * first)
      }
      first += count
    }
  }
}

/// Sums of the lines that one row of output covers, for part of the columns.
private struct LineSums {
  /// Source columns of a part: 320 output columns of a frame six times as wide.
  static let columnCapacity = 1984
  private static let pitch = 2048

  private var sums = InlineArray<6144, UInt32>(repeating: 0)
  private var planes = InlineArray<6144, UInt8>(repeating: 0)
  private var first = 0

  /// Converts and adds up the lines under output row `row`.
  mutating func add(
    _ frame: FrameView, columns: Range<Int>, row: Int, _ horizontal: Axis, _ vertical: Axis
  ) {
    let left = Int(Cover(output: columns.lowerBound, axis: horizontal).first)
    let right = Int(Cover(output: columns.upperBound - 1, axis: horizontal).last)
    first = left / 2 * 2
    let count = min(right, frame.width - 1) + 1 - first
    precondition(count <= Self.columnCapacity)
    let cover = Cover(output: row, axis: vertical)
    let pitch = Self.pitch
    let start = first
    var planeSpan = planes.mutableSpan
    var sumSpan = sums.mutableSpan
    planeSpan.withUnsafeMutableBufferPointer { planes in
      sumSpan.withUnsafeMutableBufferPointer { sums in
        guard let plane = planes.baseAddress, let sum = sums.baseAddress else { return }
        sum.update(repeating: 0, count: 3 * pitch)
        for line in Int(cover.first)...Int(cover.last) {
          let weight = cover.weight(of: line, unit: vertical.unit)
          if weight == 0 { continue }
          var samples = frame.vectorRow(line, from: start, count: count)
          ckernels_frame_planes(&samples, plane, pitch)
          for channel in 0..<3 {
            ckernels_frame_accumulate(sum + channel * pitch, plane + channel * pitch, weight, count)
          }
        }
      }
    }
  }

  /// Weighs the columns and stores the row's pixels.
  mutating func store(
    columns: Range<Int>, _ horizontal: Axis, _ vertical: Axis, width: Int,
    into output: UnsafeMutablePointer<Int8>
  ) {
    let divider = Divider(max(2, UInt64(horizontal.step) * UInt64(vertical.step)))
    let unit = UInt64(horizontal.unit)
    let isWhole = horizontal.step * vertical.step < 2
    for column in columns {
      let cover = Cover(output: column, axis: horizontal)
      let left = Int(cover.first) - first
      let right = min(Int(cover.last), width - 1) - first
      for channel in 0..<3 {
        let base = channel * Self.pitch
        var middle: UInt64 = 0
        var place = left + 1
        while place < right {
          middle &+= UInt64(sums[base + place])
          place += 1
        }
        let total =
          middle &* unit &+ UInt64(cover.firstWeight) &* UInt64(sums[base + left])
          &+ UInt64(cover.lastWeight) &* UInt64(sums[base + right])
        let mean = isWhole ? total : divider.round(total)
        output[3 * (column - columns.lowerBound) + channel] = Int8(
          bitPattern: UInt8(truncatingIfNeeded: mean) ^ 0x80)
      }
    }
  }
}
