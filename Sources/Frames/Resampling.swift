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
private struct Cover {
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
}

/// The two source pixels that one output pixel lies between along an axis, and how far from
/// `first` to `second` in halves of the axis's unit.
private struct Between {
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
private let blockColumns = 320

extension ImageView {
  /// Resamples to `columns` by `rows` pixels: averages by area where both axes shrink, else
  /// interpolates bilinearly. Pixels outside the picture are those of its edge.
  ///
  /// `store(row, column, red, green, blue)` receives every output pixel once.
  @inline(__always)
  func resample(
    columns: Int, rows: Int, horizontal: Axis, vertical: Axis,
    store: (Int, Int, UInt8, UInt8, UInt8) -> Void
  ) {
    var start = 0
    while start < columns {
      let count = min(blockColumns, columns - start)
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
  private func average(
    columns: Range<Int>, rows: Int, horizontal: Axis, vertical: Axis,
    store: (Int, Int, UInt8, UInt8, UInt8) -> Void
  ) {
    var covers = InlineArray<320, Cover>(repeating: Cover())
    var sums = InlineArray<960, UInt64>(repeating: 0)
    for column in columns {
      covers[column - columns.lowerBound] = Cover(output: column, axis: horizontal)
    }
    let area = UInt64(horizontal.step) * UInt64(vertical.step)
    let divider = Divider(max(2, area))
    let unit = UInt64(horizontal.unit)
    for row in 0..<rows {
      for index in 0..<(3 * columns.count) { sums[index] = 0 }
      let cover = Cover(output: row, axis: vertical)
      var line = Int(cover.first)
      while line <= Int(cover.last) {
        let weight =
          line == Int(cover.first)
          ? UInt64(cover.firstWeight)
          : line == Int(cover.last) ? UInt64(cover.lastWeight) : UInt64(vertical.unit)
        let source = base + clampIndex(line, height) * stride
        for index in 0..<columns.count {
          addLine(source, covers[index], unit: unit, weight: weight, to: &sums, at: 3 * index)
        }
        line += 1
      }
      for index in 0..<columns.count {
        if area < 2 {
          // One unit a pixel both ways: the sum is the pixel.
          store(
            row, columns.lowerBound + index, UInt8(truncatingIfNeeded: sums[3 * index]),
            UInt8(truncatingIfNeeded: sums[3 * index + 1]),
            UInt8(truncatingIfNeeded: sums[3 * index + 2]))
        } else {
          store(
            row, columns.lowerBound + index,
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
  private func interpolate(
    columns: Range<Int>, rows: Int, horizontal: Axis, vertical: Axis,
    store: (Int, Int, UInt8, UInt8, UInt8) -> Void
  ) {
    var places = InlineArray<320, Between>(repeating: Between())
    for column in columns {
      places[column - columns.lowerBound] = Between(output: column, axis: horizontal)
    }
    let wide = UInt64(2 * horizontal.unit)
    let tall = UInt64(2 * vertical.unit)
    let divider = Divider(wide * tall)
    for row in 0..<rows {
      let line = Between(output: row, axis: vertical)
      let upper = base + Int(line.first) * stride
      let lower = base + Int(line.second) * stride
      let down = UInt64(line.fraction)
      for index in 0..<columns.count {
        let place = places[index]
        let left = 3 * Int(place.first)
        let right = 3 * Int(place.second)
        let along = UInt64(place.fraction)
        @inline(__always) func blend(_ channel: Int) -> UInt8 {
          let top =
            (wide &- along) &* UInt64(upper[left + channel])
            &+ along &* UInt64(upper[right + channel])
          let bottom =
            (wide &- along) &* UInt64(lower[left + channel])
            &+ along &* UInt64(lower[right + channel])
          return UInt8(
            truncatingIfNeeded: divider.round((tall &- down) &* top &+ down &* bottom))
        }
        store(row, columns.lowerBound + index, blend(0), blend(1), blend(2))
      }
    }
  }
}
