import Announcing
import CSystem
import Counting
import Foundation
import Testing

@testable import Voice

// espeak-ng's state is global, so these tests take turns.
@Suite(.serialized) struct VoiceTests {
  @Test func aTotalIsSpokenIntoAWavFileThatDescribesItself() throws {
    let (path, news) = record([phrase(Total(total: 1600, coins: 3))])
    defer { unlink(path) }
    #expect(news == nil)
    let recording = try Recording(path)
    #expect(recording.tag(at: 0) == "RIFF" && recording.tag(at: 8) == "WAVE")
    #expect(recording.tag(at: 12) == "fmt " && recording.tag(at: 36) == "data")
    #expect(recording.number(at: 16, bytes: 4) == 16)
    #expect(recording.number(at: 20, bytes: 2) == 1)  // PCM
    #expect(recording.number(at: 22, bytes: 2) == 1)  // mono
    #expect(recording.number(at: 24, bytes: 4) == 22_050)
    #expect(recording.number(at: 28, bytes: 4) == 44_100)
    #expect(recording.number(at: 32, bytes: 2) == 2)
    #expect(recording.number(at: 34, bytes: 2) == 16)
    #expect(recording.number(at: 40, bytes: 4) == 2 * recording.samples.count)
    #expect(recording.number(at: 4, bytes: 4) == 36 + 2 * recording.samples.count)
  }

  @Test func whatIsSpokenIsAudibleAndOfTheLengthOfItsWords() throws {
    let short = record([phrase(Total(total: 100, coins: 1))])
    let long = record([phrase(Total(total: 64_950, coins: 64, unsure: 2))])
    defer { unlink(short.path) }
    defer { unlink(long.path) }
    let shorter = try Recording(short.path)
    #expect(short.news == nil)
    #expect(long.news == nil)
    let longer = try Recording(long.path)
    #expect(shorter.peak > 5000 && longer.peak > 5000)
    #expect(shorter.seconds > 0.8 && shorter.seconds < 3)
    #expect(longer.seconds > 2 * shorter.seconds)
  }

  @Test func phrasesFollowOneAnotherInTheFile() throws {
    let one = record([phrase(Total(total: 100, coins: 1))])
    let two = record([phrase(Total(total: 100, coins: 1)), phrase(Total(total: 100, coins: 1))])
    defer { unlink(one.path) }
    defer { unlink(two.path) }
    let once = try Recording(one.path).seconds
    let twice = try Recording(two.path).seconds
    #expect(abs(twice - 2 * once) < 0.1)
  }

  @Test func theSameWordsTakeAnotherTimeInTheEnglishVoice() throws {
    let said = [phrase(Total(total: 1600, coins: 3))]
    let indonesian = record(said)
    let again = record(said)
    let english = record(said, VoiceSettings(language: .english))
    defer { for path in [indonesian.path, again.path, english.path] { unlink(path) } }
    #expect(english.news == nil)
    let seconds = try Recording(indonesian.path).seconds
    #expect(abs(try Recording(again.path).seconds - seconds) < 0.01)
    #expect(abs(try Recording(english.path).seconds - seconds) > 0.05)
  }

  @Test func volumeAndRateAreObeyed() throws {
    let said = [phrase(Total(total: 1600, coins: 3))]
    let plain = record(said)
    let quiet = record(said, VoiceSettings(volume: 20))
    let fast = record(said, VoiceSettings(rate: 300))
    defer { for path in [plain.path, quiet.path, fast.path] { unlink(path) } }
    #expect(try Recording(quiet.path).peak * 2 < Recording(plain.path).peak)
    #expect(try Recording(fast.path).seconds < Recording(plain.path).seconds)
  }

  @Test func aFileThatCannotBeWrittenIsReportedOnceWithItsReason() {
    var settings = VoiceSettings()
    settings.descriptor = csystem_open("/dev/full", O_WRONLY)
    var voice = Voice(settings)
    voice.say(phrase(Total(total: 100, coins: 1)))
    let ended = voice.finish(cutsOff: false)
    let news = voice.takeNews()
    let repeated = voice.takeNews()
    let failure = voice.fileFailure()
    #expect(ended)
    #expect(news == .fault(.soundFileUnwritable))
    #expect(repeated == nil)
    #expect(failure == ENOSPC)
  }
}
