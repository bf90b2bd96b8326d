import Announcing
import CSystem
import Counting
import Foundation

@testable import Voice

/// A WAV file read back.
struct Recording {
  let header: [UInt8]
  let samples: [Int16]

  /// Reads the file at `path`.
  init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    header = Array(bytes.prefix(44))
    samples = stride(from: 44, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  /// A number of the header, little-endian.
  func number(at offset: Int, bytes: Int) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(header[offset + $1]) << (8 * $1) }
  }

  /// Four characters of the header.
  func tag(at offset: Int) -> String {
    String(decoding: header[offset..<offset + 4], as: UTF8.self)
  }

  /// Length in seconds.
  var seconds: Double { Double(samples.count) / Double(number(at: 24, bytes: 4)) }

  /// Loudest sample.
  var peak: Int { samples.map { abs(Int($0)) }.max() ?? 0 }
}

/// The path of a file that does not exist yet.
func freshPath(_ name: String) -> String {
  NSTemporaryDirectory() + "receh-" + UUID().uuidString + "-" + name
}

/// A phrase of the voice.
func phrase(_ total: Total, _ language: Language = .indonesian) -> Phrase {
  var phrase = Phrase()
  phrase.append(spoken: total, in: language)
  return phrase
}

/// Runs a voice into a WAV file and returns its path and the first news it had, if any.
func record(
  _ phrases: [Phrase], _ settings: VoiceSettings = VoiceSettings()
) -> (path: String, news: VoiceNews?) {
  let path = freshPath("speech.wav")
  var settings = settings
  settings.descriptor = csystem_create(path)
  var voice = Voice(settings)
  var begun = 0
  for phrase in phrases {
    voice.say(phrase)
    begun += 1
    // Each phrase is let begin, so that none is replaced by the next.
    for _ in 0..<1000 where voice.begunPhrases < begun { csystem_sleep(5) }
  }
  voice.finish(cutsOff: false)
  return (path, voice.takeNews())
}
