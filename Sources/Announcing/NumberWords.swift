extension Text {
  /// Appends a number in Indonesian words: "seribu enam ratus".
  ///
  /// Words, not digits, so that what is spoken does not depend on a voice's own number rules.
  /// Precondition: `0 <= number < 1_000_000_000_000`.
  mutating func append(indonesian number: Int) {
    precondition(number >= 0 && number < 1_000_000_000_000)
    switch number {
    case 0..<10: append(indonesianDigit(number))
    case 10: append("sepuluh")
    case 11: append("sebelas")
    case 12..<20:
      append(indonesianDigit(number - 10))
      append(" belas")
    case 20..<100: append(indonesian: number, unit: 10, one: "sepuluh", many: " puluh")
    case 100..<1000: append(indonesian: number, unit: 100, one: "seratus", many: " ratus")
    case 1000..<1_000_000:
      append(indonesian: number, unit: 1000, one: "seribu", many: " ribu")
    case 1_000_000..<1_000_000_000:
      append(indonesian: number, unit: 1_000_000, one: "satu juta", many: " juta")
    default:
      append(indonesian: number, unit: 1_000_000_000, one: "satu miliar", many: " miliar")
    }
  }

  private mutating func append(
    indonesian number: Int, unit: Int, one: StaticString, many: StaticString
  ) {
    if number / unit == 1 {
      append(one)
    } else {
      append(indonesian: number / unit)
      append(many)
    }
    if number % unit > 0 {
      append(" ")
      append(indonesian: number % unit)
    }
  }

  private func indonesianDigit(_ digit: Int) -> StaticString {
    switch digit {
    case 0: "nol"
    case 1: "satu"
    case 2: "dua"
    case 3: "tiga"
    case 4: "empat"
    case 5: "lima"
    case 6: "enam"
    case 7: "tujuh"
    case 8: "delapan"
    default: "sembilan"
    }
  }

  /// Appends a number in English words: "one thousand six hundred".
  ///
  /// Precondition: `0 <= number < 1_000_000_000_000`.
  mutating func append(english number: Int) {
    precondition(number >= 0 && number < 1_000_000_000_000)
    switch number {
    case 0..<20: append(englishSmall(number))
    case 20..<100:
      append(englishTens(number / 10))
      if number % 10 > 0 {
        append("-")
        append(englishSmall(number % 10))
      }
    case 100..<1000: append(english: number, unit: 100, name: " hundred")
    case 1000..<1_000_000: append(english: number, unit: 1000, name: " thousand")
    case 1_000_000..<1_000_000_000: append(english: number, unit: 1_000_000, name: " million")
    default: append(english: number, unit: 1_000_000_000, name: " billion")
    }
  }

  private mutating func append(english number: Int, unit: Int, name: StaticString) {
    append(english: number / unit)
    append(name)
    let rest = number % unit
    if rest == 0 { return }
    append(rest < 100 ? " and " : " ")
    append(english: rest)
  }

  private func englishSmall(_ number: Int) -> StaticString {
    switch number {
    case 0: "zero"
    case 1: "one"
    case 2: "two"
    case 3: "three"
    case 4: "four"
    case 5: "five"
    case 6: "six"
    case 7: "seven"
    case 8: "eight"
    case 9: "nine"
    case 10: "ten"
    case 11: "eleven"
    case 12: "twelve"
    case 13: "thirteen"
    case 14: "fourteen"
    case 15: "fifteen"
    case 16: "sixteen"
    case 17: "seventeen"
    case 18: "eighteen"
    default: "nineteen"
    }
  }

  private func englishTens(_ tens: Int) -> StaticString {
    switch tens {
    case 2: "twenty"
    case 3: "thirty"
    case 4: "forty"
    case 5: "fifty"
    case 6: "sixty"
    case 7: "seventy"
    case 8: "eighty"
    default: "ninety"
    }
  }
}
