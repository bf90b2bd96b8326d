import Testing

@testable import Frames

@Suite struct FixedListTests {
  @Test func elementsAreReadAndWrittenWhereTheyLie() {
    var list = FixedList<3, InlineArray<40, Int>>(filler: InlineArray(repeating: 7))
    list.append(InlineArray(repeating: 1))
    list.append(InlineArray(repeating: 2))
    list[1][39] = 5
    let (first, last, untouched) = (list[0][39], list[1][39], list[1][38])
    #expect(first == 1 && last == 5 && untouched == 2)
  }

  @Test func aFullListRefusesMoreAndStaysAsItWas() {
    var list = FixedList<2, Int>(filler: 0)
    for number in 1...2 {
      let isAdded = list.append(number)
      #expect(isAdded)
    }
    let isAdded = list.append(3)
    let elements = list.span
    #expect(!isAdded && elements.count == 2 && elements[0] == 1 && elements[1] == 2)
  }

  @Test func removingMovesTheLastIntoThePlace() {
    var list = FixedList<4, Int>(filler: 0)
    for number in 1...4 { list.append(number) }
    list.swapRemove(at: 1)
    let (second, count) = (list[1], list.count)
    #expect(second == 4 && count == 3)
    list.removeAll()
    #expect(list.count == 0)
  }

  @Test func aListMovedToAnotherOwnerKeepsItsElements() {
    struct Owner: ~Copyable {
      var list: FixedList<64, Int>
    }
    var list = FixedList<64, Int>(filler: -1)
    for number in 0..<64 { list.append(number) }
    let owner = Owner(list: list)
    for number in 0..<64 { #expect(owner.list[number] == number) }
  }

  @Test func anArrayBeginsWithEqualElementsAndHasAllOfThem() {
    var array = FixedArray<5, UInt16>(repeating: 9)
    array[4] = 1
    var sum = 0
    for index in 0..<array.count { sum += Int(array.span[index]) }
    #expect(sum == 4 * 9 + 1)
  }
}
