import CSystem
import Frames
import Synchronization

/// One frame buffer that a thread that reads frames and the loop that counts them hand to each
/// other.
///
/// All memory is the caller's and is given before the loop begins. The reading thread reads the
/// next frame into memory of its own while the last one is being counted, and waits for the buffer
/// before it hands it over, so recorded frames are never lost; the loop waits while there is none.
/// A second buffer would be 900 KiB of memory, and gain nothing: the slower of the two threads is
/// never kept waiting for longer than it takes to convert a frame.
public struct FrameHandover: ~Copyable {
  /// Room for the slot itself.
  private static let slotBytes = 128

  private let slot: UnsafeMutablePointer<FrameSlot>
  private let emptied: UnsafeMutablePointer<sem_t>
  private let filled: UnsafeMutablePointer<sem_t>
  private let closed = Atomic<Bool>(false)

  /// Most pixels of a frame.
  public let pixelCapacity: Int

  /// How many bytes of memory it needs, aligned to 64, for frames of at most `pixels` pixels.
  public static func memory(pixels: Int) -> Int { 128 + slotBytes + 3 * pixels }

  /// Makes one without a frame.
  /// - Parameters:
  ///   - pixels: most pixels of a frame, at least 1.
  ///   - memory: `memory(pixels:)` bytes aligned to 64 that outlive it and its threads.
  public init(pixels: Int, memory: UnsafeMutableRawPointer) {
    precondition(pixels > 0)
    precondition(2 * MemoryLayout<sem_t>.stride <= 128)
    precondition(MemoryLayout<FrameSlot>.stride <= FrameHandover.slotBytes)
    pixelCapacity = pixels
    emptied = memory.bindMemory(to: sem_t.self, capacity: 2)
    filled = emptied + 1
    sem_init(emptied, 0, 1)
    sem_init(filled, 0, 0)
    slot = (memory + 128).bindMemory(to: FrameSlot.self, capacity: 1)
    let bytes = (memory + 128 + FrameHandover.slotBytes).bindMemory(
      to: UInt8.self, capacity: 3 * pixels)
    slot.initialize(to: FrameSlot(pixels: bytes))
  }

  /// Tells the reading thread that no more frames are wanted.
  public func close() {
    closed.store(true, ordering: .releasing)
    sem_post(emptied)
  }

  /// Whether no more frames are wanted.
  public var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Waits until the slot is empty; `nil` once no more frames are wanted. For the reading thread.
  public func waitForEmpty() -> UnsafeMutablePointer<FrameSlot>? {
    while sem_wait(emptied) != 0 {}
    return isClosed ? nil : slot
  }

  /// Hands the slot just filled to the loop. For the reading thread.
  public func fill() {
    sem_post(filled)
  }
}

extension FrameHandover: FrameSource {
  /// Waits at most `milliseconds` until the slot is full. For the loop.
  public func waitForFull(milliseconds: Int) -> UnsafeMutablePointer<FrameSlot>? {
    csystem_semaphore_wait(filled, Int64(milliseconds)) ? slot : nil
  }

  /// Hands the slot just counted back. For the loop.
  public func empty() {
    sem_post(emptied)
  }
}
