import CKernels

/// Sums of the lines that one row of output covers, for part of the columns, in three planes.
struct LineSums {
  /// Source columns of a part: 320 output columns of a frame six times as wide.
  static let columnCapacity = 1984
  static let byteCount = 3 * pitch * MemoryLayout<UInt32>.stride
  private static let pitch = 2048

  private let sums: UnsafeMutablePointer<UInt32>
  private let planes: UnsafeMutablePointer<UInt8>

  /// - Parameters:
  ///   - scratch: `byteCount` bytes that outlive this.
  ///   - line: room for a converted line, `FrameRows.byteCount` bytes.
  init(_ scratch: UnsafeMutableRawPointer, line: UnsafeMutableRawPointer) {
    precondition(FrameRows.byteCount >= 3 * Self.pitch)
    sums = scratch.assumingMemoryBound(to: UInt32.self)
    planes = line.assumingMemoryBound(to: UInt8.self)
  }

  /// The sum of a channel, at a column counted from the first.
  subscript(channel: Int, column: Int) -> UInt64 { UInt64(sums[channel * Self.pitch + column]) }

  /// Converts and adds up the lines that `cover` says.
  ///
  /// - Parameters:
  ///   - columns: of the frame, from an even one on, at most `columnCapacity`.
  ///   - rows: the frame's, for processors without vectors.
  func add(
    _ frame: FrameView, columns: Range<Int>, _ cover: Cover, _ vertical: Axis,
    _ rows: inout FrameRows
  ) {
    precondition(columns.count <= Self.columnCapacity)
    let isFast = ckernels_frame_is_fast()
    sums.update(repeating: 0, count: 3 * Self.pitch)
    for line in Int(cover.first)...Int(cover.last) {
      let weight = cover.weight(of: line, unit: vertical.unit)
      if weight == 0 { continue }
      if isFast {
        var samples = frame.vectorRow(line, from: columns.lowerBound, count: columns.count)
        ckernels_frame_planes(&samples, planes, Self.pitch)
        for channel in 0..<3 {
          ckernels_frame_accumulate(
            sums + channel * Self.pitch, planes + channel * Self.pitch, weight, columns.count)
        }
      } else {
        addPlainly(columns, line, weight, &rows)
      }
    }
  }

  private func addPlainly(
    _ columns: Range<Int>, _ line: Int, _ weight: UInt32, _ rows: inout FrameRows
  ) {
    var first = columns.lowerBound
    while first < columns.upperBound {
      let end = min(columns.upperBound, first + FrameRows.columnCapacity)
      let pixels = rows.row(line, first..<end)
      for column in first..<end {
        for channel in 0..<3 {
          sums[channel * Self.pitch + column - columns.lowerBound] &+=
            weight &* UInt32(pixels[3 * column + channel])
        }
      }
      first = end
    }
  }

  /// The sums of the columns that an output pixel covers, weighed, where all of them are there.
  ///
  /// - Parameter first: the frame's column that sums begin with.
  @inline(__always)
  func weighed(_ cover: Cover, from first: Int, unit: UInt64) -> InlineArray<3, UInt64> {
    var total = InlineArray<3, UInt64>(repeating: 0)
    let left = Int(cover.first) - first
    let right = Int(cover.last) - first
    for channel in 0..<3 {
      let sum = sums + channel * Self.pitch
      var middle: UInt64 = 0
      var place = left + 1
      while place < right {
        middle &+= UInt64(sum[place])
        place += 1
      }
      total[channel] =
        middle &* unit &+ UInt64(cover.firstWeight) &* UInt64(sum[left])
        &+ UInt64(cover.lastWeight) &* UInt64(sum[right])
    }
    return total
  }
}
