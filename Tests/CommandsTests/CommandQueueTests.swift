import Commands
import Testing

@Suite struct CommandQueueTests {
  @Test func requestsComeOutInTheOrderTheyWentIn() {
    var queue = CommandQueue()
    queue.append(Request(.mute, from: .console))
    queue.append(Request(.repeat, from: .button))
    let requests = (0..<queue.count).map { queue[$0] }
    #expect(requests == [Request(.mute, from: .console), Request(.repeat, from: .button)])
    queue.removeAll()
    let left = queue.count
    #expect(left == 0)
  }

  @Test func aFullQueueRefusesAndKeepsWhatItHolds() {
    var queue = CommandQueue()
    for _ in 0..<CommandQueue.capacity {
      let isTaken = queue.append(Request(.total, from: .console))
      #expect(isTaken)
    }
    let isFull = queue.isFull
    #expect(isFull)
    let isTaken = queue.append(Request(.reset, from: .console))
    #expect(!isTaken)
    let last = queue[CommandQueue.capacity - 1]
    #expect(last.command == .total)
  }
}
