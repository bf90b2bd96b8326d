import CSystem
import Frames
import Synchronization

/// Two frame buffers between a thread that reads frames and the loop that counts them.
///
/// All memory is the caller's and is given before the loop begins. The reading thread waits while
/// all buffers are full, so recorded frames are never lost; the loop waits while all are empty.
public struct FrameRing: ~Copyable {
  /// Buffers in the ring: one being counted, one being read or ready. A third would be 900 KiB of
  /// memory, and gain nothing: the slower of the two threads is never kept waiting for long.
  public static let slotCount = 2

  /// Room for the slots themselves.
  private static let slotBytes = 256

  private let slots: UnsafeMutablePointer<FrameSlot>
  private let emptied: UnsafeMutablePointer<sem_t>
  private let filled: UnsafeMutablePointer<sem_t>
  private let closed = Atomic<Bool>(false)

  /// Most pixels of a frame.
  public let pixelCapacity: Int

  /// How many bytes of memory a ring needs, aligned to 64, for frames of at most `pixels` pixels.
  public static func memory(pixels: Int) -> Int {
    128 + slotBytes + slotCount * frameBytes(pixels)
  }

  /// Makes an empty ring.
  /// - Parameters:
  ///   - pixels: most pixels of a frame, at least 1.
  ///   - memory: `memory(pixels:)` bytes aligned to 64 that outlive the ring and its threads.
  public init(pixels: Int, memory: UnsafeMutableRawPointer) {
    precondition(pixels > 0)
    precondition(2 * MemoryLayout<sem_t>.stride <= 128)
    precondition(FrameRing.slotCount * MemoryLayout<FrameSlot>.stride <= FrameRing.slotBytes)
    pixelCapacity = pixels
    emptied = memory.bindMemory(to: sem_t.self, capacity: 2)
    filled = emptied + 1
    sem_init(emptied, 0, UInt32(FrameRing.slotCount))
    sem_init(filled, 0, 0)
    slots = (memory + 128).bindMemory(to: FrameSlot.self, capacity: FrameRing.slotCount)
    for index in 0..<FrameRing.slotCount {
      let start = memory + 128 + FrameRing.slotBytes + index * FrameRing.frameBytes(pixels)
      let bytes = start.bindMemory(to: UInt8.self, capacity: 3 * pixels)
      (slots + index).initialize(to: FrameSlot(pixels: bytes))
    }
  }

  /// Tells the reading thread that no more frames are wanted.
  public func close() {
    closed.store(true, ordering: .releasing)
    sem_post(emptied)
  }

  /// Whether no more frames are wanted.
  public var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Waits for an empty slot; `nil` once the ring is closed. For the reading thread.
  /// - Parameter turn: how many slots that thread has filled so far.
  public func waitForEmpty(turn: Int) -> UnsafeMutablePointer<FrameSlot>? {
    while sem_wait(emptied) != 0 {}
    return isClosed ? nil : slots + turn % FrameRing.slotCount
  }

  /// Hands the slot just filled to the loop. For the reading thread.
  public func fill() {
    sem_post(filled)
  }

  /// Waits at most `milliseconds` for a full slot. For the loop.
  /// - Parameter turn: how many slots the loop has emptied so far.
  public func waitForFull(turn: Int, milliseconds: Int) -> UnsafeMutablePointer<FrameSlot>? {
    if !csystem_semaphore_wait(filled, Int64(milliseconds)) { return nil }
    return slots + turn % FrameRing.slotCount
  }

  /// Hands the slot just counted back. For the loop.
  public func empty() {
    sem_post(emptied)
  }

  private static func frameBytes(_ pixels: Int) -> Int {
    (3 * pixels + 63) / 64 * 64
  }
}
