import CSystem
import Testing

import Threads

@Suite struct MailboxTests {
  private func withMailbox(_ body: (borrowing Mailbox<Int>) -> Void) {
    let slots = UnsafeMutablePointer<Int>.allocate(capacity: 3)
    defer { slots.deallocate() }
    body(Mailbox(slots: slots, filler: -1))
  }

  @Test func anEmptyMailboxGivesNothing() {
    withMailbox { box in
      var front = Mailbox<Int>.firstFront
      let taken = box.take(front: &front)
      #expect(taken == nil)
    }
  }

  @Test func aMessageIsTakenOnce() {
    withMailbox { box in
      var back = Mailbox<Int>.firstBack
      var front = Mailbox<Int>.firstFront
      box.post(7, back: &back)
      let first = box.take(front: &front)
      let second = box.take(front: &front)
      #expect(first == 7)
      #expect(second == nil)
    }
  }

  @Test func aNewerMessageReplacesOneNotYetTaken() {
    withMailbox { box in
      var back = Mailbox<Int>.firstBack
      var front = Mailbox<Int>.firstFront
      for message in 1...9 { box.post(message, back: &back) }
      let taken = box.take(front: &front)
      let rest = box.take(front: &front)
      #expect(taken == 9)
      #expect(rest == nil)
    }
  }

  /// Two words that always agree, so that a message torn between two posts shows.
  private struct Pair: BitwiseCopyable {
    var number: Int
    var twin: InlineArray<32, Int>

    init(_ number: Int) {
      self.number = number
      twin = InlineArray(repeating: number)
    }

    var isWhole: Bool {
      for index in 0..<32 where twin[index] != number { return false }
      return true
    }
  }

  private struct Race: ~Copyable {
    let mailbox: Mailbox<Pair>
    static var messages: Int { 200_000 }
  }

  @Test func messagesBetweenThreadsComeWholeInOrderAndTheLastIsNeverLost() {
    let slots = UnsafeMutablePointer<Pair>.allocate(capacity: 3)
    let race = UnsafeMutablePointer<Race>.allocate(capacity: 1)
    race.initialize(to: Race(mailbox: Mailbox(slots: slots, filler: Pair(0))))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let race = context?.assumingMemoryBound(to: Race.self) else { return nil }
        var back = Mailbox<Pair>.firstBack
        for number in 1...Race.messages {
          race.pointee.mailbox.post(Pair(number), back: &back)
        }
        return nil
      }, race)
    #expect(status == 0)
    var front = Mailbox<Pair>.firstFront
    var last = 0
    var faults = 0
    while last < Race.messages {
      guard let pair = race.pointee.mailbox.take(front: &front) else {
        sched_yield()
        continue
      }
      if !pair.isWhole || pair.number <= last { faults += 1 }
      last = pair.number
    }
    pthread_join(thread, nil)
    #expect(faults == 0)
    race.deinitialize(count: 1)
    race.deallocate()
    slots.deallocate()
  }
}
