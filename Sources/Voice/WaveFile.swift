import CSystem
import Counting

/// A WAV file of 16-bit mono samples that is whole after every `finishPhrase`, so that a program
/// ended at any moment leaves a file that plays.
///
/// Writing throws `soundFileUnwritable` with `errno` set, also at the 4 GiB that the format can
/// hold.
struct WaveFile: ~Copyable {
  /// Most bytes of samples: the format's 32-bit sizes, less the header, rounded down.
  static let limit = 0xFFFF_FF00

  private let descriptor: Int32
  private let rate: UInt32
  private var dataBytes: Int

  /// Takes over a descriptor open for writing, goes to the end of what it holds and writes the
  /// header.
  /// - Parameter rate: samples a second.
  init(descriptor: Int32, rate: Int) throws(Degradation) {
    self.descriptor = descriptor
    self.rate = UInt32(rate)
    // More than a header where a worker before this one has been ended.
    dataBytes = min(max(0, lseek(descriptor, 0, SEEK_END) - 44) & ~1, WaveFile.limit)
    try writeHeader()
    if lseek(descriptor, 44 + dataBytes, SEEK_SET) < 0 { throw .soundFileUnwritable }
  }

  deinit {
    close(descriptor)
  }

  /// Appends samples.
  mutating func append(_ samples: UnsafePointer<Int16>, count: Int) throws(Degradation) {
    if dataBytes + 2 * count > WaveFile.limit {
      csystem_set_errno(EFBIG)
      throw .soundFileUnwritable
    }
    var start = UnsafeRawPointer(samples)
    var left = 2 * count
    while left > 0 {
      let written = write(descriptor, start, left)
      if written < 0 {
        if csystem_errno() == EINTR { continue }
        throw .soundFileUnwritable
      }
      start += written
      left -= written
      dataBytes += written
    }
  }

  /// Appends a pause after a phrase and brings the header up to date.
  mutating func finishPhrase() throws(Degradation) {
    let silence = InlineArray<256, Int16>(repeating: 0)
    var left = Int(rate) * 3 / 10
    while left > 0 {
      let count = min(left, 256)
      try silence.span.withUnsafeBufferPointer { buffer throws(Degradation) in
        if let base = buffer.baseAddress { try append(base, count: count) }
      }
      left -= count
    }
    try writeHeader()
  }

  /// Writes the 44 bytes before the samples, where they belong.
  private func writeHeader() throws(Degradation) {
    var header = InlineArray<44, UInt8>(repeating: 0)
    put("RIFF", at: 0, in: &header)
    put(UInt32(36 + dataBytes), at: 4, in: &header)
    put("WAVEfmt ", at: 8, in: &header)
    put(16, at: 16, in: &header)  // Bytes of the format block.
    put(0x0001_0001, at: 20, in: &header)  // PCM, one channel.
    put(rate, at: 24, in: &header)
    put(2 * rate, at: 28, in: &header)  // Bytes a second.
    put(0x0010_0002, at: 32, in: &header)  // Bytes a frame, bits a sample.
    put("data", at: 36, in: &header)
    put(UInt32(dataBytes), at: 40, in: &header)
    let written = header.span.withUnsafeBufferPointer { buffer in
      pwrite(descriptor, buffer.baseAddress, 44, 0)
    }
    if written == 44 { return }
    // A disk that takes a part is a full one.
    if written >= 0 { csystem_set_errno(ENOSPC) }
    throw .soundFileUnwritable
  }

  private func put(_ text: StaticString, at offset: Int, in header: inout InlineArray<44, UInt8>) {
    for index in 0..<text.utf8CodeUnitCount { header[offset + index] = text.utf8Start[index] }
  }

  private func put(_ number: UInt32, at offset: Int, in header: inout InlineArray<44, UInt8>) {
    for index in 0..<4 {
      header[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index))
    }
  }
}
