import CSystem
import Counting
import Synchronization
import Threads

/// What the loop's process and the lights' share, in memory that both map.
struct LightsShared: ~Copyable {
  /// The state to be shown next.
  let mailbox: Mailbox<LightsState>
  /// The lights' slot number in the mailbox, kept for a process that takes the place of another.
  let front = Atomic<UInt32>(Mailbox<LightsState>.firstFront)

  /// Bytes of memory the mailbox's slots may take.
  private static let slotsSize = 8192
  /// Bytes of memory it takes with them.
  static let memorySize = slotsSize + 512

  /// Lays it out in memory of that size, which outlives the processes.
  static func make(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<LightsShared> {
    precondition(3 * MemoryLayout<LightsState>.stride <= slotsSize)
    precondition(MemoryLayout<LightsShared>.stride <= memorySize - slotsSize)
    let slots = memory.bindMemory(to: LightsState.self, capacity: 3)
    let shared = (memory + slotsSize).bindMemory(to: LightsShared.self, capacity: 1)
    shared.initialize(to: LightsShared(slots: slots))
    return shared
  }

  private init(slots: UnsafeMutablePointer<LightsState>) {
    mailbox = Mailbox(slots: slots, filler: LightsState())
  }
}

/// What the lights have to tell.
public enum LightsNews: BitwiseCopyable, Sendable, Equatable {
  /// A part has stopped working.
  case fault(Degradation)
  /// It works again.
  case recovered(Degradation)

  private static let recoveryBit: UInt8 = 0x80

  /// Reads what `byte` says.
  init?(byte: UInt8) {
    guard let degradation = Degradation(rawValue: byte & ~LightsNews.recoveryBit) else {
      return nil
    }
    self = byte & LightsNews.recoveryBit == 0 ? .fault(degradation) : .recovered(degradation)
  }

  /// The news as a byte between processes.
  var byte: UInt8 {
    switch self {
    case .fault(let degradation): degradation.rawValue
    case .recovered(let degradation): degradation.rawValue | LightsNews.recoveryBit
    }
  }
}
