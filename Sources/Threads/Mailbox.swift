import Synchronization

/// A place for one message between two threads, where a newer message replaces one not yet taken.
///
/// One thread posts and one takes; neither ever waits for the other. The two may be of different
/// processes that share the memory of the mailbox and its slots. Three slots go round: one the
/// poster writes, one the taker reads, and one between them that is exchanged atomically. Each of
/// the two keeps the number of its own slot.
public struct Mailbox<Message: BitwiseCopyable>: ~Copyable {
  /// The poster's slot number to begin with.
  public static var firstBack: UInt32 { 0 }
  /// The taker's slot number to begin with.
  public static var firstFront: UInt32 { 2 }
  private static var freshBit: UInt32 { 4 }

  /// Number of the slot between, and `freshBit` when it holds a message not yet taken.
  private let between = Atomic<UInt32>(1)
  private let slots: UnsafeMutablePointer<Message>

  /// Makes an empty mailbox.
  /// - Parameters:
  ///   - slots: room for 3 messages, owned by the caller, outliving the mailbox.
  ///   - filler: what the slots hold until a message is posted; never taken.
  public init(slots: UnsafeMutablePointer<Message>, filler: Message) {
    slots.initialize(repeating: filler, count: 3)
    self.slots = slots
  }

  /// Whether a message waits. Any thread may ask.
  public var hasMessage: Bool { between.load(ordering: .acquiring) & Self.freshBit != 0 }

  /// Puts `message` in, in place of one not yet taken.
  /// - Parameter back: the posting thread's slot number.
  public func post(_ message: Message, back: inout UInt32) {
    slots[Int(back)] = message
    let before = between.exchange(back | Self.freshBit, ordering: .acquiringAndReleasing)
    back = before & ~Self.freshBit
  }

  /// Takes the newest message out, if there is one.
  /// - Parameter front: the taking thread's slot number.
  public func take(front: inout UInt32) -> Message? {
    if !hasMessage { return nil }
    let before = between.exchange(front, ordering: .acquiringAndReleasing)
    front = before & ~Self.freshBit
    return slots[Int(front)]
  }
}
