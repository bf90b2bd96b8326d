import CKernels

extension PixelRows {
  /// Fills a patch finer than the picture, by vectors; `false`, having done nothing, where the
  /// picture is too narrow for them.
  ///
  /// Precondition: both axes have a unit of 4096 and the same step, less than that.
  @inline(__always)
  mutating func enlarge(
    _ horizontal: Axis, _ vertical: Axis, into patch: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    precondition(horizontal.unit == 4096 && vertical.unit == 4096 && !vertical.shrinks)
    let side = SquarePatch.side
    var places = InlineArray<144, ckernels_between>(repeating: ckernels_between())
    for column in 0..<side {
      let place = Between(output: column, axis: horizontal)
      places[column] = ckernels_between(
        first: place.first, second: place.second, fraction: place.fraction)
    }
    let span = Int(places[0].first)..<(Int(places[side - 1].second) + 1)
    // The vectors load sixteen bytes.
    if span.count < 6 { return false }
    var columns = InlineArray<18, ckernels_patch_columns>(repeating: ckernels_patch_columns())
    // Sums of two lines, upper bits of both and then lower ones.
    var sums = InlineArray<1728, Int16>(repeating: 0)
    let count = Int32(side)
    var placeSpan = places.mutableSpan
    var columnSpan = columns.mutableSpan
    var sumSpan = sums.mutableSpan
    placeSpan.withUnsafeMutableBufferPointer { places in
      columnSpan.withUnsafeMutableBufferPointer { columns in
        sumSpan.withUnsafeMutableBufferPointer { sums in
          guard let place = places.baseAddress, let column = columns.baseAddress,
            let high = sums.baseAddress
          else { return }
          ckernels_patch_prepare(
            column, place, count, Int32(3 * span.lowerBound), Int32(3 * span.upperBound))
          let low = high + 6 * side
          var kept = KeptLines()
          for output in 0..<side {
            let line = Between(output: output, axis: vertical)
            for turn in 0..<2 {
              let wanted = Int(turn == 0 ? line.first : line.second)
              guard kept.lacks(wanted) else { continue }
              let start = wanted % 2 * 3 * side
              ckernels_patch_along(row(wanted, span), column, count, high + start, low + start)
            }
            let upper = Int(line.first % 2) * 3 * side
            let lower = Int(line.second % 2) * 3 * side
            ckernels_patch_down(
              ckernels_patch_line(high: high + upper, low: low + upper),
              ckernels_patch_line(high: high + lower, low: low + lower), Int32(line.fraction),
              count, patch + 3 * side * output)
          }
        }
      }
    }
    return true
  }

  /// Columns of a picture that a patch coarser than it is averaged from by vectors.
  private static var averagedColumns: Int { 1024 }

  /// Fills a patch coarser than the picture: whole lines are weighed and added up by vectors, then
  /// columns. `false`, having done nothing, where it shows too much of the picture for that.
  @inline(__always)
  mutating func average(
    _ horizontal: Axis, _ vertical: Axis, into patch: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let side = SquarePatch.side
    let first = clampIndex(Int(Cover(output: 0, axis: horizontal).first), width)
    let last = clampIndex(Int(Cover(output: side - 1, axis: horizontal).last), width)
    let span = first..<last + 1
    if span.count > min(Self.averagedColumns, columnCapacity) { return false }
    var covers = InlineArray<144, Cover>(repeating: Cover())
    for column in 0..<side { covers[column] = Cover(output: column, axis: horizontal) }
    let divider = Divider(UInt64(horizontal.step) * UInt64(vertical.step))
    var sums = InlineArray<3072, UInt32>(repeating: 0)
    var sumSpan = sums.mutableSpan
    sumSpan.withUnsafeMutableBufferPointer { sums in
      guard let sum = sums.baseAddress else { return }
      for output in 0..<side {
        sum.update(repeating: 0, count: 3 * span.count)
        let cover = Cover(output: output, axis: vertical)
        for line in Int(cover.first)...Int(cover.last) {
          let weight = cover.weight(of: line, unit: vertical.unit)
          if weight == 0 { continue }
          let samples = row(clampIndex(line, height), span) + 3 * first
          ckernels_frame_accumulate(sum, samples, weight, 3 * span.count)
        }
        var pixel = patch + 3 * side * output
        for column in 0..<side {
          let total = weighed(sum - 3 * first, covers[column], unit: UInt64(horizontal.unit))
          for channel in 0..<3 {
            pixel[channel] = UInt8(truncatingIfNeeded: divider.round(total[channel]))
          }
          pixel += 3
        }
      }
    }
    return true
  }

  /// The sums of the columns that an output pixel covers, weighed. What is outside the picture has
  /// the sums of its edge.
  @inline(__always)
  private func weighed(
    _ sums: UnsafePointer<UInt32>, _ cover: Cover, unit: UInt64
  ) -> InlineArray<3, UInt64> {
    var total = InlineArray<3, UInt64>(repeating: 0)
    let left = sums + 3 * clampIndex(Int(cover.first), width)
    let right = sums + 3 * clampIndex(Int(cover.last), width)
    var place = Int(cover.first) + 1
    while place < Int(cover.last) {
      let middle = sums + 3 * clampIndex(place, width)
      for channel in 0..<3 { total[channel] &+= UInt64(middle[channel]) }
      place += 1
    }
    for channel in 0..<3 {
      total[channel] =
        total[channel] &* unit &+ UInt64(cover.firstWeight) &* UInt64(left[channel])
        &+ UInt64(cover.lastWeight) &* UInt64(right[channel])
    }
    return total
  }
}
