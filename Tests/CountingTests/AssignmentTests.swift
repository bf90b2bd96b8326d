import Testing

@testable import Counting

@Suite struct AssignmentTests {
  /// Least cost by trying everything, each row assigned to a free column or to none.
  private func leastCost(_ costs: [[Float]], unassigned: Float) -> Float {
    func search(_ row: Int, _ taken: Set<Int>) -> Float {
      if row == costs.count { return 0 }
      var best = unassigned + search(row + 1, taken)
      for column in costs[row].indices where !taken.contains(column) {
        best = min(best, costs[row][column] + search(row + 1, taken.union([column])))
      }
      return best
    }
    return search(0, [])
  }

  private func solvedCost(_ costs: [[Float]], unassigned: Float) -> Float? {
    var assignment = Assignment()
    for (row, line) in costs.enumerated() {
      for (column, cost) in line.enumerated() { assignment[row, column] = cost }
    }
    let columns = costs.first?.count ?? 0
    assignment.solve(rows: costs.count, columns: columns, unassigned: unassigned)
    var sum: Float = 0
    var taken: Set<Int> = []
    for row in costs.indices {
      guard let column = assignment.column(of: row) else {
        sum += unassigned
        continue
      }
      if !taken.insert(column).inserted { return nil }
      sum += costs[row][column]
    }
    return sum
  }

  @Test func theCostIsTheLeastOfAllAssignmentsForAnyShape() {
    var generator = SplitMix(state: 7)
    for _ in 0..<300 {
      let rows = Int.random(in: 0...5, using: &generator)
      let columns = Int.random(in: 0...5, using: &generator)
      // Whole numbers, so that sums are exact and ties are common.
      let costs = (0..<rows).map { _ in
        (0..<columns).map { _ in Float(Int.random(in: 0...12, using: &generator)) }
      }
      #expect(solvedCost(costs, unassigned: 8) == leastCost(costs, unassigned: 8))
    }
  }

  @Test func aFullProblemOfSixtyFourIsSolved() {
    // The cheap diagonal is the only assignment without a dear pair.
    let costs = (0..<64).map { row in
      (0..<64).map { column in Float(abs(row - (63 - column))) }
    }
    #expect(solvedCost(costs, unassigned: 1000) == 0)
  }

  @Test func aRowStaysUnassignedWhenEveryColumnIsDearer() {
    var assignment = Assignment()
    assignment[0, 0] = 9
    assignment.solve(rows: 1, columns: 1, unassigned: 4)
    #expect(assignment.column(of: 0) == nil)
  }
}

/// A small seeded generator, so that every run tries the same cases.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
