// How long the voice takes from being asked to the first sample that the sound device has taken,
// and to cutting in on itself: in goes the default sound device, out comes a table.

import Announcing
import CSystem
import Counting
import Voice

@main
struct VoiceBenchmark {
  private static let rounds = 60

  static func main() {
    csystem_ignore_broken_pipes()
    var voice = Voice(VoiceSettings())
    if let news = voice.takeNews() {
      print("voice-benchmark: the voice does not speak: \(news)")
      exit(1)
    }
    print("say to first sample, microseconds")
    for (name, language) in [("id", Language.indonesian), ("en", Language.english)] {
      voice.apply(VoiceSettings(language: language))
      show("\(name), first phrase of the language", delays(&voice, language, rounds: 1))
      show("\(name), voice idle", delays(&voice, language, rounds: rounds))
    }
    voice.apply(VoiceSettings())
    show(
      "id, cutting in on another phrase", delays(&voice, .indonesian, rounds: rounds, after: 150))
    print("longest of all: \(voice.longestDelay)")
    voice.finish(cutsOff: true)
  }

  /// Says totals and notes how long each took to its first sample.
  /// - Parameter pause: milliseconds to wait for after each, or `nil` to let it end.
  private static func delays(
    _ voice: inout Voice, _ language: Language, rounds: Int, after pause: Int64? = nil
  ) -> [Int] {
    var delays: [Int] = []
    for round in 0..<rounds {
      var phrase = Phrase()
      phrase.append(
        spoken: Total(total: Int32(100 * (round + 1)), coins: 1, unsure: Int32(round % 3)),
        in: language)
      let begun = voice.begunPhrases
      let before = voice.delay
      voice.say(phrase)
      var waited = 0
      while (voice.begunPhrases == begun || voice.delay == before) && waited < 5000 {
        csystem_sleep(1)
        waited += 1
      }
      if voice.begunPhrases > begun && voice.delay != before { delays.append(voice.delay) }
      csystem_sleep(pause ?? 300)
    }
    return delays
  }

  private static func show(_ name: String, _ delays: [Int]) {
    let sorted = delays.sorted()
    guard let least = sorted.first, let most = sorted.last else {
      print("  \(name): nothing was heard")
      return
    }
    let median = sorted[sorted.count / 2]
    let late = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    print(
      "  \(name): \(sorted.count) phrases, least \(least), median \(median), "
        + "95 % within \(late), most \(most)")
  }
}
