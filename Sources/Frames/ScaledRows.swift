import CKernels

/// The rows of a frame drawn as a letterbox says, made one at a time when they are asked for: the
/// same bits as converting the frame to red, green, blue and drawing that, of which neither is ever
/// whole in memory.
///
/// Averages by area when the frame shrinks and interpolates bilinearly when it grows; the border is
/// 128 grey.
public struct ScaledRows: ~Copyable {
  /// The widest letterbox: half as wide again as the detector's input, and more.
  public static let widest = 512
  /// Bytes of scratch.
  public static let scratchBytes =
    FrameRows.byteCount
    + max(
      LineSums.byteCount + MemoryLayout<Cover>.stride * widest,
      // Sums of two lines and the bytes they become.
      (MemoryLayout<Between>.stride + 6 * MemoryLayout<UInt32>.stride + 3) * widest)

  /// How rows are made.
  private enum Way {
    /// The mean of two by two pixels, by vectors.
    case halving
    /// The mean by area: whole lines are weighed and added up, then columns.
    case averaging
    case interpolating
  }

  private let way: Way
  private let frame: FrameView
  private let box: Letterbox
  private let horizontal: Axis
  private let vertical: Axis
  private let divider: Divider
  private let blend: LineBlend
  private let scratch: UnsafeMutableRawPointer
  private var lines: FrameRows
  private var kept = KeptLines()

  /// - Parameters:
  ///   - frame: must stay as it is for as long as rows are made.
  ///   - box: made for this frame's size, at most `widest` wide.
  ///   - scratch: `scratchBytes` bytes, aligned to 4, that outlive this.
  public init(_ frame: FrameView, _ box: Letterbox, scratch: UnsafeMutableRawPointer) {
    precondition(box.sourceWidth == frame.width && box.sourceHeight == frame.height)
    precondition(box.width <= Self.widest)
    self.frame = frame
    self.box = box
    self.scratch = scratch
    (horizontal, vertical) = box.axes
    divider = Divider(max(2, UInt64(horizontal.step) * UInt64(vertical.step)))
    blend = LineBlend(wide: UInt32(2 * horizontal.unit), tall: UInt32(2 * vertical.unit))
    lines = FrameRows(frame, buffer: scratch.assumingMemoryBound(to: UInt8.self))
    let isHalved = frame.width == 2 * box.innerWidth && frame.height == 2 * box.innerHeight
    way =
      isHalved && ckernels_frame_is_fast()
      ? .halving : horizontal.shrinks && vertical.shrinks ? .averaging : .interpolating
    if way == .averaging {
      for column in 0..<box.innerWidth {
        covers[column] = Cover(output: column, axis: horizontal)
      }
    } else if way == .interpolating {
      for column in 0..<box.innerWidth {
        places[column] = Between(output: column, axis: horizontal)
      }
    }
  }

  /// Makes row `y`, which is not above the one made before.
  ///
  /// - Parameters:
  ///   - y: `0 ..< box.height`.
  ///   - output: room for the row and no more.
  ///   - pixelBytes: from one pixel's red to the next one's: 3, or 4 with one of any value.
  ///   - sign: what each value, less 128, is exclusively ored with.
  public mutating func write(
    _ y: Int, into output: UnsafeMutablePointer<Int8>, pixelBytes: Int, sign: UInt8
  ) {
    let row = y - box.top
    let grey = Int8(bitPattern: sign)
    if row < 0 || row >= box.innerHeight {
      output.update(repeating: grey, count: box.width * pixelBytes)
      return
    }
    let left = output + box.left * pixelBytes
    output.update(repeating: grey, count: box.left * pixelBytes)
    (left + box.innerWidth * pixelBytes).update(
      repeating: grey, count: (box.width - box.left - box.innerWidth) * pixelBytes)
    let form = ckernels_pixel_form(bytes: Int32(pixelBytes), sign: sign)
    switch way {
    case .halving:
      var above = frame.vectorRow(2 * row, from: 0, count: frame.width)
      var below = frame.vectorRow(2 * row + 1, from: 0, count: frame.width)
      ckernels_frame_halve(&above, &below, form, left)
    case .averaging: average(row, into: left, form)
    case .interpolating: interpolate(row, into: left, form)
    }
  }

  /// `write` of the rows that `context` points to, for those that call by a pointer.
  public static let write:
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int8>?, Int, UInt8) -> Void =
      { context, y, output, pixelBytes, sign in
        guard let context, let output else { return }
        context.assumingMemoryBound(to: ScaledRows.self).pointee.write(
          y, into: output, pixelBytes: pixelBytes, sign: sign)
      }

  // The scratch begins with the two lines that `lines` keeps. What each column takes comes after
  // these, and after the sums.

  private var covers: UnsafeMutablePointer<Cover> {
    (scratch + FrameRows.byteCount + LineSums.byteCount).assumingMemoryBound(to: Cover.self)
  }

  private var places: UnsafeMutablePointer<Between> {
    (scratch + FrameRows.byteCount).assumingMemoryBound(to: Between.self)
  }

  private mutating func average(
    _ row: Int, into output: UnsafeMutablePointer<Int8>, _ form: ckernels_pixel_form
  ) {
    // By vectors `lines` is of no use here.
    let sums = LineSums(scratch + FrameRows.byteCount, line: scratch)
    let cover = Cover(output: row, axis: vertical)
    let unit = UInt64(horizontal.unit)
    let area = horizontal.step * vertical.step
    let most = max(1, (LineSums.columnCapacity - 3) * horizontal.unit / horizontal.step)
    var pixel = output
    var column = 0
    while column < box.innerWidth {
      let end = min(column + most, box.innerWidth)
      let first = Int(covers[column].first) / 2 * 2
      let last = Int(covers[end - 1].last)
      // A column may cover more than there is room for, of a picture like a thread.
      let isWide = last + 1 - first > LineSums.columnCapacity
      if !isWide { sums.add(frame, columns: first..<last + 1, cover, vertical, &lines) }
      while column < end {
        let own = covers[column]
        var total =
          isWide ? wideTotal(own, cover, sums) : sums.weighed(own, from: first, unit: unit)
        for channel in 0..<3 where area >= 2 { total[channel] = divider.round(total[channel]) }
        store(
          UInt8(truncatingIfNeeded: total[0]), UInt8(truncatingIfNeeded: total[1]),
          UInt8(truncatingIfNeeded: total[2]), at: pixel, form)
        pixel += Int(form.bytes)
        column += 1
      }
    }
  }

  /// What one column covers, a part at a time.
  private mutating func wideTotal(
    _ own: Cover, _ cover: Cover, _ sums: LineSums
  ) -> InlineArray<3, UInt64> {
    var total = InlineArray<3, UInt64>(repeating: 0)
    var first = Int(own.first) / 2 * 2
    while first <= Int(own.last) {
      let end = min(Int(own.last) + 1, first + LineSums.columnCapacity)
      sums.add(frame, columns: first..<end, cover, vertical, &lines)
      for column in max(first, Int(own.first))..<end {
        let weight = UInt64(own.weight(of: column, unit: horizontal.unit))
        for channel in 0..<3 { total[channel] &+= weight &* sums[channel, column - first] }
      }
      first = end
    }
    return total
  }

  private mutating func interpolate(
    _ row: Int, into output: UnsafeMutablePointer<Int8>, _ form: ckernels_pixel_form
  ) {
    let count = box.innerWidth
    // Blended along two lines, and their blend.
    let sums = UnsafeMutableRawPointer(places + count).assumingMemoryBound(to: UInt32.self)
    let bytes = UnsafeMutableRawPointer(sums + 6 * count).assumingMemoryBound(to: UInt8.self)
    let span = Int(places[0].first)..<(Int(places[count - 1].second) + 1)
    let line = Between(output: row, axis: vertical)
    for turn in 0..<2 {
      let wanted = Int(turn == 0 ? line.first : line.second)
      guard kept.lacks(wanted) else { continue }
      blend.along(
        lines.row(wanted, span), places, count: count, into: sums + wanted % 2 * 3 * count)
    }
    blend.down(
      sums + Int(line.first % 2) * 3 * count, sums + Int(line.second % 2) * 3 * count,
      line.fraction, count: 3 * count, into: bytes)
    for column in 0..<count {
      store(
        bytes[3 * column], bytes[3 * column + 1], bytes[3 * column + 2],
        at: output + column * Int(form.bytes), form)
    }
  }

  @inline(__always)
  private func store(
    _ red: UInt8, _ green: UInt8, _ blue: UInt8, at pixel: UnsafeMutablePointer<Int8>,
    _ form: ckernels_pixel_form
  ) {
    let flip = 0x80 ^ form.sign
    pixel[0] = Int8(bitPattern: red ^ flip)
    pixel[1] = Int8(bitPattern: green ^ flip)
    pixel[2] = Int8(bitPattern: blue ^ flip)
  }
}
