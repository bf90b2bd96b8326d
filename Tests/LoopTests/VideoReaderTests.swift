import CSystem
import Testing

@testable import Loop

@Suite struct VideoReaderTests {
  /// What reading a whole stream gave: each frame's pixels, and how it ended.
  private struct Outcome: Equatable {
    var frames: [[UInt8]] = []
    var error: VideoError?
  }

  /// Reads a stream through a pipe, as a program would deliver it.
  private func read(_ bytes: [UInt8]) -> Outcome {
    var ends: (Int32, Int32) = (0, 0)
    let isOpen = withUnsafeMutableBytes(of: &ends) { raw in
      pipe(raw.bindMemory(to: Int32.self).baseAddress) == 0
    }
    var outcome = Outcome()
    if !isOpen { return outcome }
    // Streams of these tests are smaller than a pipe's buffer.
    _ = write(ends.1, bytes, bytes.count)
    close(ends.1)
    do throws(VideoError) {
      let reader = try VideoReader(descriptor: ends.0)
      var samples = [UInt8](repeating: 0, count: reader.format.frameBytes)
      var pixels = [UInt8](repeating: 0, count: 3 * reader.format.width * reader.format.height)
      while try read(reader, &samples, &pixels) { outcome.frames.append(pixels) }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  private func read(
    _ reader: borrowing VideoReader, _ samples: inout [UInt8], _ pixels: inout [UInt8]
  ) throws(VideoError) -> Bool {
    try samples.withUnsafeMutableBufferPointer { from throws(VideoError) in
      try pixels.withUnsafeMutableBufferPointer { to throws(VideoError) in
        guard let source = from.baseAddress, let destination = to.baseAddress else { return false }
        guard try reader.read(into: source) else { return false }
        reader.format.frame(source).convert(into: destination, stride: 3 * reader.format.width)
        return true
      }
    }
  }

  private let header = Array("YUV4MPEG2 W2 H2 F25:1 C420\n".utf8)
  private let mark = Array("FRAME\n".utf8)
  private let white: [UInt8] = [235, 235, 235, 235, 128, 128]
  private let black: [UInt8] = [16, 16, 16, 16, 128, 128]
  private let whitePixels = [UInt8](repeating: 255, count: 12)
  private let blackPixels = [UInt8](repeating: 0, count: 12)

  @Test func framesAreReadInOrder() {
    let outcome = read(header + mark + white + mark + black)
    #expect(outcome == Outcome(frames: [whitePixels, blackPixels]))
  }

  @Test func parametersOfAFrameArePassedOver() {
    let outcome = read(header + Array("FRAME Ip Xnote\n".utf8) + white)
    #expect(outcome == Outcome(frames: [whitePixels]))
  }

  @Test func aStreamWithoutFramesIsReadToItsEnd() {
    #expect(read(header) == Outcome())
  }

  @Test func everyTruncationGivesTheWholeFramesAndAnError() {
    let stream = header + mark + white + mark + black
    let first = header.count + mark.count + white.count
    for length in 0..<stream.count where length != first && length != header.count {
      let outcome = read(Array(stream.prefix(length)))
      #expect(outcome.frames == (length >= first ? [whitePixels] : []))
      #expect(outcome.error != nil)
    }
    #expect(read(Array(stream.prefix(stream.count - 1))).error == .isTruncated)
  }

  @Test func aFrameThatDoesNotBeginAsOneIsDamage() {
    #expect(read(header + mark + white + [0] + mark + black).error == .frameMarkMissing)
    #expect(read(header + Array("FRAMEX\n".utf8) + white).error == .frameMarkMissing)
  }

  @Test func anEndlessHeaderIsGivenUp() {
    let endless = Array("YUV4MPEG2 ".utf8) + [UInt8](repeating: 32, count: 5000)
    #expect(read(endless).error == .headerEndless)
    #expect(read([UInt8](repeating: 65, count: 5000)).error == .notVideo)
  }

  @Test func everySamplingGivesPicturesOfTheSameGrey() {
    for (word, bytes) in [("C420", 6), ("C422", 8), ("C444", 12), ("Cmono", 4)] {
      let head = Array("YUV4MPEG2 W2 H2 \(word)\n".utf8)
      let samples = [UInt8](repeating: 126, count: 4) + [UInt8](repeating: 128, count: bytes - 4)
      #expect(read(head + mark + samples).frames == [[UInt8](repeating: 128, count: 12)])
    }
  }
}
