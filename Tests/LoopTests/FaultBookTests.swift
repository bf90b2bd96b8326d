import Counting
import Testing

@testable import Loop

@Suite struct FaultBookTests {
  @Test func aFaultIsToldOnceAndCountedFromThere() {
    var book = FaultBook()
    let first = book.note(.soundDeviceLost)
    let again = book.note(.soundDeviceLost)
    let other = book.note(.voiceHung)
    #expect(first && !again && other)
    let times = (book.times(.soundDeviceLost), book.times(.voiceHung), book.times(.voiceCrashed))
    #expect(times == (2, 1, 0))
  }

  @Test func aFaultThatIsOverIsToldAnewWhenItComesBack() {
    var book = FaultBook()
    _ = book.note(.soundDeviceLost)
    let had = book.hasFault
    book.clear(.soundDeviceLost)
    let has = book.hasFault
    let again = book.note(.soundDeviceLost)
    #expect(had && !has && again)
  }

  @Test func everyFaultThereIsHasItsPlace() {
    var book = FaultBook()
    for raw in UInt8.min...UInt8.max {
      guard let fault = Degradation(rawValue: raw) else { continue }
      let isFirst = book.note(fault)
      #expect(isFirst)
    }
  }
}
