import CSystem
import Testing

@testable import Loop

@Suite struct FrameHandoverTests {
  private func withHandover(_ body: (borrowing FrameHandover) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: FrameHandover.memory(pixels: 5), alignment: 64)
    defer { memory.deallocate() }
    body(FrameHandover(pixels: 5, memory: memory))
  }

  @Test func aFrameHandedOverComesOutWithItsPixels() {
    withHandover { handover in
      for turn in 0..<3 {
        let slot = handover.waitForEmpty()
        slot?.pointee.number = 10 + turn
        slot?.pointee.pixels.update(repeating: UInt8(turn), count: 15)
        handover.fill()
        let full = handover.waitForFull(milliseconds: 0)
        #expect(full?.pointee.number == 10 + turn)
        for offset in 0..<15 { #expect(full?.pointee.pixels[offset] == UInt8(turn)) }
        handover.empty()
      }
    }
  }

  @Test func whereThereIsNoFrameNothingIsGivenWithoutWaitingForEver() {
    withHandover { handover in
      let slot = handover.waitForFull(milliseconds: 1)
      #expect(slot == nil)
    }
  }

  @Test func aFrameIsGivenOnce() {
    withHandover { handover in
      _ = handover.waitForEmpty()
      handover.fill()
      let slot = handover.waitForFull(milliseconds: 0)
      let again = handover.waitForFull(milliseconds: 1)
      #expect(slot != nil && again == nil)
    }
  }

  @Test func theReadingThreadIsLetGoWhenNoMoreFramesAreWanted() {
    withHandover { handover in
      _ = handover.waitForEmpty()
      handover.fill()
      handover.close()
      let slot = handover.waitForEmpty()
      #expect(slot == nil)
    }
  }
}
