import CKernels
import EngineChecks
import Frames
import Testing

@Suite struct FrameDrawingTests {
  @Test func convertingScalingAndCuttingByVectorsEqualsThePlainWay() {
    let check = FrameCheck(count: 400, seed: 5)
    #expect(check.failed == 0, "first case \(check.firstFailure)")
    #expect(check.passed == 400)
  }

  @Test(arguments: TestFrame.formats)
  func aCamerasFrameBecomesTheNetworksInputAtAnyPitch(_ format: PixelFormat) {
    for (width, height) in [(640, 480), (320, 240), (800, 600), (1280, 720), (160, 120)] {
      let frame = TestFrame(format, width: width, height: height, gap: 64)
      let box = Letterbox(sourceWidth: width, sourceHeight: height, width: 320, height: 240)
      let pixels = frame.expected()
      let plain = pixels.withUnsafeBufferPointer { buffer in
        drawn(box) { output in
          guard let base = buffer.baseAddress else { return }
          ImageView(base: base, width: width, height: height, stride: 3 * width)
            .drawByReference(box, into: &output)
        }
      }
      frame.withView { view in
        #expect(drawn(box) { view.draw(box, into: &$0) } == plain, "\(format) \(width)x\(height)")
      }
    }
  }

  #if arch(x86_64)
    @Test func registersTheSystemDoesNotSaveAreNotUsedForFrames() {
      var report = ckernels_ask_processor()
      report.xcr0 = 0x03
      #expect(!ckernels_has_avx2(&report))
    }
  #endif

  private func drawn(_ box: Letterbox, _ body: (inout MutableSpan<Int8>) -> Void) -> [Int8] {
    var output = [Int8](repeating: 77, count: 3 * box.width * box.height)
    var span = output.mutableSpan
    body(&span)
    return output
  }
}
