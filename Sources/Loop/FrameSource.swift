/// Where the loop gets its frames from.
///
/// A source is filled by a thread of its own; the loop takes one slot at a time and hands it back.
public protocol FrameSource: ~Copyable {
  /// Waits at most `milliseconds` for a slot.
  borrowing func waitForFull(milliseconds: Int) -> UnsafeMutablePointer<FrameSlot>?
  /// Hands the slot just taken back.
  borrowing func empty()
  /// Tells the source that no more frames are wanted.
  borrowing func close()
}
