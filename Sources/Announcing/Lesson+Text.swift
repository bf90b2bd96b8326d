import Counting
import Detection

extension Text {
  /// Appends the name the user has given to a coin.
  public mutating func append(_ name: CoinName) {
    let bytes = name.span
    for index in 0..<bytes.count { append(byte: bytes[index]) }
  }

  /// Appends a field of JSON; names have nothing in them that would have to be escaped.
  mutating func append(field name: StaticString, _ text: CoinName) {
    append(name)
    append("\"")
    append(text)
    append("\"")
  }

  /// Appends how many coins there are of each name, where there are any.
  mutating func append(_ named: NamedCounts) {
    if named.count == 0 { return }
    append(",\"named\":[")
    for index in 0..<named.count {
      if index > 0 { append(",") }
      append(field: "{\"name\":", named.name(index))
      append(field: ",\"coins\":", Int(named.coins(index)))
      append("}")
    }
    append("]")
  }

  mutating func append(_ lesson: Lesson) {
    append("lesson\",\"step\":\"")
    append(lesson.step.name)
    append("\"")
    if lesson.name.count > 0 { append(field: ",\"name\":", lesson.name) }
    append(field: ",\"value\":", Int(lesson.value))
    switch lesson.step {
    case .view(let face, let number):
      append(field: ",\"face\":", face)
      append(field: ",\"view\":", number)
    case .learned(let views, let isSaved):
      append(field: ",\"views\":", views)
      append(isSaved ? ",\"saved\":true" : ",\"saved\":false")
    case .ended(let views): append(field: ",\"views\":", views)
    case .known(let value): append(field: ",\"known\":", Int(value))
    case .begin, .flip, .several, .full: break
    }
  }

  /// Appends a step as a line for people, which is also what is spoken.
  mutating func append(_ lesson: Lesson, in language: Language) {
    switch lesson.step {
    case .begin: append(language.choose("Letakkan satu koin", "Lay down one coin"))
    case .view(_, let number):
      append(spoken: number, in: language)
      append(language.choose(", putar koin", ", turn the coin"))
    case .flip: append(language.choose("Balik koin", "Turn the coin over"))
    case .several:
      append(language.choose("Letakkan satu koin saja", "Lay down one coin only"))
    case .known(let value):
      append(language.choose("Koin ini sudah dikenal, ", "This coin is known, "))
      append(spoken: Int(value), in: language)
      append(" rupiah")
    case .learned(_, let isSaved):
      append(language.choose("Selesai, ", "Done, "))
      if lesson.value > 0 {
        append(spoken: Int(lesson.value), in: language)
        append(" rupiah")
      } else {
        append(lesson.name)
      }
      append(language.choose(" dikenal", " is known"))
      if !isSaved {
        append(language.choose(", belum dapat disimpan", ", but cannot be saved yet"))
      }
    case .full:
      append(language.choose("Tidak ada tempat lagi", "There is no more room"))
    case .ended:
      append(language.choose("Belum selesai dipelajari", "Not learned, too few views"))
    }
  }

  /// Appends what is said of a step.
  public mutating func append(spoken lesson: Lesson, in language: Language) {
    append(lesson, in: language)
  }
}

extension Lesson.Step {
  fileprivate var name: StaticString {
    switch self {
    case .begin: "begin"
    case .view: "view"
    case .flip: "flip"
    case .several: "several"
    case .known: "known"
    case .learned: "learned"
    case .full: "full"
    case .ended: "ended"
    }
  }
}
