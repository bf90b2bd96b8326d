import CKernels

/// One axis of a resampling: output `i` covers the source from `origin + i * step` to
/// `origin + (i + 1) * step`, counted in units of which a source pixel has `unit`.
///
/// Everything is whole numbers, so the result is exact and the same on every machine.
struct Axis {
  /// Units in a source pixel.
  let unit: Int
  /// Where output 0 begins, in units from the picture's edge; may be negative.
  let origin: Int
  /// Units in an output pixel.
  let step: Int
  /// Source pixels along this axis; reads outside take the nearest of them.
  let sourceCount: Int

  /// Whether output pixels are at least as large as source pixels, so that averaging is due.
  var shrinks: Bool { step >= unit }
}

/// The source pixels that one output pixel averages along an axis: `first` with `firstWeight`,
/// then those up to `last` with the axis's unit each, then `last` with `lastWeight`.
struct Cover {
  var first: Int32 = 0
  var last: Int32 = 0
  var firstWeight: UInt32 = 0
  var lastWeight: UInt32 = 0

  init() {}

  init(output: Int, axis: Axis) {
    let begin = axis.origin + output * axis.step
    let end = begin + axis.step
    let first = floorDivide(begin, axis.unit)
    let last = floorDivide(end - 1, axis.unit)
    self.first = Int32(first)
    self.last = Int32(last)
    firstWeight = UInt32(min(end, (first + 1) * axis.unit) - begin)
    lastWeight = first == last ? 0 : UInt32(end - last * axis.unit)
  }

  /// The weight of one of the source pixels, of an axis with that unit.
  @inline(__always)
  func weight(of pixel: Int, unit: Int) -> UInt32 {
    pixel == Int(first) ? firstWeight : pixel == Int(last) ? lastWeight : UInt32(unit)
  }
}

/// The two source pixels that one output pixel lies between along an axis, and how far from
/// `first` to `second` in halves of the axis's unit.
struct Between {
  var first: Int32 = 0
  var second: Int32 = 0
  var fraction: UInt32 = 0

  init() {}

  init(output: Int, axis: Axis) {
    let position = 2 * axis.origin + (2 * output + 1) * axis.step - axis.unit
    let index = floorDivide(position, 2 * axis.unit)
    first = Int32(clampIndex(index, axis.sourceCount))
    second = Int32(clampIndex(index + 1, axis.sourceCount))
    fraction = UInt32(position - index * 2 * axis.unit)
  }
}

/// Which two lines of a picture are there, blended along. A line has its place by its number, even or
/// odd, so that those an output row lies between, neighbours, never share one, and most lines are
/// blended once.
struct KeptLines {
  private var even = -1
  private var odd = -1

  /// Whether a line is not there yet; from now on it is.
  @inline(__always)
  mutating func lacks(_ line: Int) -> Bool {
    let isOdd = line % 2 == 1
    guard line != (isOdd ? odd : even) else { return false }
    if isOdd { odd = line } else { even = line }
    return true
  }
}

/// Division of 64-bit numbers by one divisor, as a multiplication.
struct Divider {
  private let reciprocal: UInt64
  private let half: UInt64

  /// Precondition: `divisor` is at least 2.
  init(_ divisor: UInt64) {
    precondition(divisor >= 2)
    reciprocal = UInt64.max / divisor + 1
    half = divisor / 2
  }

  /// `numerator` divided and rounded to nearest, halves upwards; exact while
  /// `numerator * divisor` is below 2^64, and beyond that off only at such halves.
  @inline(__always)
  func round(_ numerator: UInt64) -> UInt64 {
    (numerator &+ half).multipliedFullWidth(by: reciprocal).high
  }
}

@inline(__always)
func floorDivide(_ numerator: Int, _ divisor: Int) -> Int {
  let quotient = numerator / divisor
  return numerator < quotient * divisor ? quotient - 1 : quotient
}

@inline(__always)
func clampIndex(_ index: Int, _ count: Int) -> Int {
  max(0, min(count - 1, index))
}

/// Output columns worked on together, so that one row of sums has a fixed size.
let blockColumns = 320

/// Rows of red, green, blue pixels that are there, or are made when asked for.
protocol PixelRows {
  /// Pixels of a row.
  var width: Int { get }
  /// Rows.
  var height: Int { get }
  /// The most columns of a row that can be asked for at once.
  var columnCapacity: Int { get }

  /// The columns of a row. Pixel `x` is at 3 `x` from the pointer, for `x` in `columns`; the
  /// pointer holds until the second next row is asked for.
  mutating func row(_ line: Int, _ columns: Range<Int>) -> UnsafePointer<UInt8>
}

extension ImageView: PixelRows {
  var columnCapacity: Int { Int.max }

  @inline(__always)
  func row(_ line: Int, _ columns: Range<Int>) -> UnsafePointer<UInt8> { base + line * stride }
}

extension PixelRows {
  /// Resamples to `columns` by `rows` pixels: averages by area where both axes shrink, else
  /// interpolates bilinearly. Pixels outside the picture are those of its edge.
  ///
  /// `store(row, column, red, green, blue)` receives every output pixel once.
  @inline(__always)
  mutating func resample(
    columns: Int, rows: Int, horizontal: Axis, vertical: Axis,
    store: (Int, Int, UInt8, UInt8, UInt8) -> Void
  ) {
    var start = 0
    // Two more than the pixels of the picture that so many columns take, at their ends.
    let room = columnCapacity == Int.max ? columns : (columnCapacity - 2) * horizontal.unit
    let most = columnCapacity == Int.max ? columns : max(1, room / horizontal.step)
    while start < columns {
      let count = min(blockColumns, min(most, columns - start))
      if horizontal.shrinks && vertical.shrinks {
        average(
          columns: start..<(start + count), rows: rows, horizontal: horizontal,
          vertical: vertical, store: store)
      } else {
        interpolate(
          columns: start..<(start + count), rows: rows, horizontal: horizontal,
          vertical: vertical, store: store)
      }
      start += count
    }
  }

  @inline(__always)
  private mutating func average(
    columns: Range<Int>, rows: Int, horizontal: Axis, vertical: Axis,
    store: (Int, Int, UInt8, UInt8, UInt8) -> Void
  ) {
    var covers = InlineArray<320, Cover>(repeating: Cover())
    var sums = InlineArray<960, UInt64>(repeating: 0)
    for column in columns {
      covers[column - columns.lowerBound] = Cover(output: column, axis: horizontal)
    }
    let left = clampIndex(Int(covers[0].first), width)
    let span = left..<clampIndex(Int(covers[columns.count - 1].last), width) + 1
    let area = UInt64(horizontal.step) * UInt64(vertical.step)
    let divider = Divider(max(2, area))
    let unit = UInt64(horizontal.unit)
    for output in 0..<rows {
      for index in 0..<(3 * columns.count) { sums[index] = 0 }
      let cover = Cover(output: output, axis: vertical)
      var line = Int(cover.first)
      while line <= Int(cover.last) {
        let weight = UInt64(cover.weight(of: line, unit: vertical.unit))
        let source = row(clampIndex(line, height), span)
        for index in 0..<columns.count {
          addLine(source, covers[index], unit: unit, weight: weight, to: &sums, at: 3 * index)
        }
        line += 1
      }
      for index in 0..<columns.count {
        if area < 2 {
          // One unit a pixel both ways: the sum is the pixel.
          store(
            output, columns.lowerBound + index, UInt8(truncatingIfNeeded: sums[3 * index]),
            UInt8(truncatingIfNeeded: sums[3 * index + 1]),
            UInt8(truncatingIfNeeded: sums[3 * index + 2]))
        } else {
          store(
            output, columns.lowerBound + index,
            UInt8(truncatingIfNeeded: divider.round(sums[3 * index])),
            UInt8(truncatingIfNeeded: divider.round(sums[3 * index + 1])),
            UInt8(truncatingIfNeeded: divider.round(sums[3 * index + 2])))
        }
      }
    }
  }

  /// Adds one source line's share of one output pixel to its three sums.
  @inline(__always)
  private func addLine(
    _ source: UnsafePointer<UInt8>, _ cover: Cover, unit: UInt64, weight: UInt64,
    to sums: inout InlineArray<960, UInt64>, at index: Int
  ) {
    let first = Int(cover.first)
    let last = Int(cover.last)
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    if first + 1 < last {
      if first >= 0 && last < width {
        var pixel = source + 3 * (first + 1)
        let end = source + 3 * last
        while pixel < end {
          red &+= UInt64(pixel[0])
          green &+= UInt64(pixel[1])
          blue &+= UInt64(pixel[2])
          pixel += 3
        }
      } else {
        for column in (first + 1)..<last {
          let pixel = source + 3 * clampIndex(column, width)
          red &+= UInt64(pixel[0])
          green &+= UInt64(pixel[1])
          blue &+= UInt64(pixel[2])
        }
      }
      red &*= unit
      green &*= unit
      blue &*= unit
    }
    let left = source + 3 * clampIndex(first, width)
    let right = source + 3 * clampIndex(last, width)
    let leftWeight = UInt64(cover.firstWeight)
    let rightWeight = UInt64(cover.lastWeight)
    red &+= leftWeight &* UInt64(left[0]) &+ rightWeight &* UInt64(right[0])
    green &+= leftWeight &* UInt64(left[1]) &+ rightWeight &* UInt64(right[1])
    blue &+= leftWeight &* UInt64(left[2]) &+ rightWeight &* UInt64(right[2])
    sums[index] &+= weight &* red
    sums[index + 1] &+= weight &* green
    sums[index + 2] &+= weight &* blue
  }

  @inline(__always)
  private mutating func interpolate(
    columns: Range<Int>, rows: Int, horizontal: Axis, vertical: Axis,
    store: (Int, Int, UInt8, UInt8, UInt8) -> Void
  ) {
    var places = InlineArray<320, Between>(repeating: Between())
    for column in columns {
      places[column - columns.lowerBound] = Between(output: column, axis: horizontal)
    }
    let span = Int(places[0].first)..<(Int(places[columns.count - 1].second) + 1)
    // Blended along two lines, and their blend.
    var sums = InlineArray<1920, UInt32>(repeating: 0)
    var bytes = InlineArray<960, UInt8>(repeating: 0)
    var kept = KeptLines()
    let blend = LineBlend(wide: UInt32(2 * horizontal.unit), tall: UInt32(2 * vertical.unit))
    var placeSpan = places.mutableSpan
    var sumSpan = sums.mutableSpan
    var byteSpan = bytes.mutableSpan
    placeSpan.withUnsafeMutableBufferPointer { places in
      sumSpan.withUnsafeMutableBufferPointer { sums in
        byteSpan.withUnsafeMutableBufferPointer { bytes in
          guard let place = places.baseAddress, let sum = sums.baseAddress,
            let byte = bytes.baseAddress
          else { return }
          for output in 0..<rows {
            let line = Between(output: output, axis: vertical)
            for turn in 0..<2 {
              let wanted = Int(turn == 0 ? line.first : line.second)
              guard kept.lacks(wanted) else { continue }
              blend.along(
                row(wanted, span), place, count: columns.count, into: sum + wanted % 2 * 960)
            }
            blend.down(
              sum + Int(line.first % 2) * 960, sum + Int(line.second % 2) * 960, line.fraction,
              count: 3 * columns.count, into: byte)
            for index in 0..<columns.count {
              store(
                output, columns.lowerBound + index, byte[3 * index], byte[3 * index + 1],
                byte[3 * index + 2])
            }
          }
        }
      }
    }
  }
}

/// Bilinear interpolation, first along lines, then between two of them.
struct LineBlend {
  let wide: UInt32
  let tall: UInt32
  private let divider: Divider
  /// Where the whole weight is a power of two, its logarithm; else 0.
  private let shift: Int32

  init(wide: UInt32, tall: UInt32) {
    self.wide = wide
    self.tall = tall
    let area = UInt64(wide) * UInt64(tall)
    divider = Divider(area)
    let isPower = area & (area - 1) == 0
    shift = isPower && ckernels_frame_is_fast() ? Int32(area.trailingZeroBitCount) : 0
  }

  /// Each place's colours between its two pixels of a line, times `wide`.
  @inline(__always)
  func along(
    _ line: UnsafePointer<UInt8>, _ places: UnsafePointer<Between>, count: Int,
    into sums: UnsafeMutablePointer<UInt32>
  ) {
    for index in 0..<count {
      let place = places[index]
      let left = line + 3 * Int(place.first)
      let right = line + 3 * Int(place.second)
      let further = place.fraction
      let nearer = wide &- further
      let sum = sums + 3 * index
      sum[0] = nearer &* UInt32(left[0]) &+ further &* UInt32(right[0])
      sum[1] = nearer &* UInt32(left[1]) &+ further &* UInt32(right[1])
      sum[2] = nearer &* UInt32(left[2]) &+ further &* UInt32(right[2])
    }
  }

  /// Rounds the blend of two lines' sums, `fraction` of `tall` from the upper to the lower.
  @inline(__always)
  func down(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>, _ fraction: UInt32, count: Int,
    into bytes: UnsafeMutablePointer<UInt8>
  ) {
    if shift > 0 {
      ckernels_frame_blend(upper, lower, tall &- fraction, fraction, shift, bytes, count)
      return
    }
    for index in 0..<count {
      let sum =
        UInt64(tall &- fraction) &* UInt64(upper[index])
        &+ UInt64(fraction) &* UInt64(lower[index])
      bytes[index] = UInt8(truncatingIfNeeded: divider.round(sum))
    }
  }
}
