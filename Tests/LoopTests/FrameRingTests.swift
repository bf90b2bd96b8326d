import CSystem
import Testing

@testable import Loop

@Suite struct FrameRingTests {
  private func withRing(_ body: (borrowing FrameRing) -> Void) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: FrameRing.memory(pixels: 5), alignment: 64)
    defer { memory.deallocate() }
    body(FrameRing(pixels: 5, memory: memory))
  }

  @Test func framesComeOutInTheOrderTheyWentIn() {
    withRing { ring in
      for turn in 0..<FrameRing.slotCount {
        let slot = ring.waitForEmpty(turn: turn)
        slot?.pointee.number = 10 + turn
        ring.fill()
      }
      for turn in 0..<FrameRing.slotCount {
        let slot = ring.waitForFull(turn: turn, milliseconds: 0)
        #expect(slot?.pointee.number == 10 + turn)
        ring.empty()
      }
    }
  }

  @Test func anEmptyRingGivesNothingWithoutWaitingForEver() {
    withRing { ring in
      let slot = ring.waitForFull(turn: 0, milliseconds: 1)
      #expect(slot == nil)
    }
  }

  @Test func theBuffersDoNotOverlap() {
    withRing { ring in
      for turn in 0..<FrameRing.slotCount {
        let slot = ring.waitForEmpty(turn: turn)
        slot?.pointee.pixels.update(repeating: UInt8(turn), count: 15)
        ring.fill()
      }
      for turn in 0..<FrameRing.slotCount {
        let slot = ring.waitForFull(turn: turn, milliseconds: 0)
        for offset in 0..<15 { #expect(slot?.pointee.pixels[offset] == UInt8(turn)) }
      }
    }
  }

  @Test func aClosedRingLetsTheReadingThreadGo() {
    withRing { ring in
      for turn in 0..<FrameRing.slotCount {
        _ = ring.waitForEmpty(turn: turn)
        ring.fill()
      }
      ring.close()
      let slot = ring.waitForEmpty(turn: FrameRing.slotCount)
      #expect(slot == nil)
    }
  }
}
