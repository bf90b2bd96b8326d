import Counting
import Detection

/// What the voice says of one total.
public typealias Phrase = Text<288>

extension Text {
  /// Appends a change of the total as it is spoken: "tambah lima ratus, jadi seribu enam ratus
  /// rupiah". Where there was or is no amount it is the total alone.
  public mutating func append(spoken total: Total, after before: Total, in language: Language) {
    let change = Int(total.total) - Int(before.total)
    if change != 0 && total.total > 0 && before.total > 0 {
      append(
        change > 0 ? language.choose("tambah ", "plus ") : language.choose("kurang ", "minus "))
      append(spoken: abs(change), in: language)
      append(language.choose(", jadi ", ", now "))
    }
    append(spoken: total, in: language)
  }

  /// Most names of taught coins that are spoken of a total; a phrase has room for no more.
  private var spokenNames: Int { 3 }

  /// Appends a total as it is spoken: "seribu enam ratus rupiah, dua koin tidak dikenal".
  ///
  /// An empty tray is called empty; where no coin is named, no amount is claimed.
  public mutating func append(spoken total: Total, in language: Language) {
    if total.coins == 0 {
      append(language.choose("baki kosong", "the tray is empty"))
      return
    }
    var hasAmount = false
    if total.total > 0 {
      append(spoken: Int(total.total), in: language)
      append(" rupiah")
      hasAmount = true
    }
    for index in 0..<min(total.named.count, spokenNames) {
      if hasAmount { append(", ") }
      hasAmount = true
      append(spoken: Int(total.named.coins(index)), in: language)
      append(" ")
      append(total.named.name(index))
    }
    if total.unsure > 0 {
      if hasAmount { append(", ") }
      hasAmount = true
      append(
        coins: Int(total.unsure), in: language, indonesian: " koin tidak dikenal",
        english: " unknown coin")
    }
    if total.withdrawn > 0 {
      if hasAmount { append(", ") }
      append(
        coins: Int(total.withdrawn), in: language,
        indonesian: " koin sudah ditarik dari peredaran", english: " withdrawn coin")
    }
  }

  /// Appends what is said when the camera is lost, or back: who cannot see the lights must know.
  public mutating func append(spokenCamera why: Degradation?, in language: Language) {
    switch why {
    case nil: append(language.choose("kamera siap", "the camera is ready"))
    case .cameraMissing, .cameraUnplugged:
      append(language.choose("tidak ada kamera", "there is no camera"))
    default: append(language.choose("kamera bermasalah", "the camera has a problem"))
    }
  }

  /// Appends what is said once counting can begin.
  public mutating func append(spokenReadinessIn language: Language) {
    append(language.choose("siap", "ready"))
  }

  mutating func append(
    coins count: Int, in language: Language, indonesian: StaticString, english: StaticString
  ) {
    append(spoken: count, in: language)
    append(language.choose(indonesian, english))
    if language == .english && count != 1 { append("s") }
  }

  mutating func append(spoken number: Int, in language: Language) {
    switch language {
    case .indonesian: append(indonesian: number)
    case .english: append(english: number)
    }
  }
}
