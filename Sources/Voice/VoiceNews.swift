import CSystem
import Counting

/// What the voice has to tell of itself.
public enum VoiceNews: BitwiseCopyable, Sendable, Equatable {
  /// It is silent from here on.
  case fault(Degradation)
  /// It speaks again; this had been the matter.
  case recovered(Degradation)

  /// The byte that says the voice is up, which is no news.
  static let ready: UInt8 = 0xFF
  private static let recoveredBit: UInt8 = 0x80

  /// Reads a byte of the voice's process; `nil` when it tells no news.
  init?(byte: UInt8) {
    guard let degradation = Degradation(rawValue: byte & ~VoiceNews.recoveredBit) else {
      return nil
    }
    self = byte & VoiceNews.recoveredBit == 0 ? .fault(degradation) : .recovered(degradation)
  }

  /// Passes the news on to whoever holds the other end of a stream.
  func send(to stream: Int32) {
    switch self {
    case .fault(let degradation): csystem_send_byte(stream, degradation.rawValue)
    case .recovered(let degradation):
      csystem_send_byte(stream, degradation.rawValue | VoiceNews.recoveredBit)
    }
  }
}
