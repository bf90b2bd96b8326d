import Counting

extension Text {
  mutating func append(_ step: CalibrationStep) {
    append("calibration\",\"step\":\"")
    switch step {
    case .begin: append("begin\"")
    case .layCoins: append("lay-coins\"")
    case .done(let scale, let coins, let isSaved):
      append("done\"")
      append(",\"pixels_per_mm\":")
      append(hundredths: scale)
      append(field: ",\"sights\":", coins)
      append(isSaved ? ",\"saved\":true" : ",\"saved\":false")
    case .unclear: append("unclear\"")
    case .ended: append("ended\"")
    }
  }

  /// Appends a step as a line for people, which is also what is spoken.
  mutating func append(_ step: CalibrationStep, in language: Language) {
    switch step {
    case .begin: append(language.choose("Kosongkan baki", "Empty the tray"))
    case .layCoins:
      append(language.choose("Letakkan beberapa koin yang dikenal", "Lay down some known coins"))
    case .done(_, _, let isSaved):
      append(language.choose("Kalibrasi selesai", "Calibrated"))
      if !isSaved {
        append(language.choose(", belum dapat disimpan", ", but it cannot be saved"))
      }
    case .unclear:
      append(
        language.choose(
          "Ukuran koin belum cocok, letakkan terpisah", "Sizes do not agree, lay coins apart"))
    case .ended:
      append(language.choose("Kalibrasi belum selesai", "Not calibrated, too little was seen"))
    }
  }

  /// Appends what is said of a step.
  public mutating func append(spoken step: CalibrationStep, in language: Language) {
    append(step, in: language)
  }

  /// Appends a number of 0 to 9999 with two decimals.
  private mutating func append(hundredths number: Float) {
    let value = Int(min(max(number, 0), 9999) * 100 + 0.5)
    append(value / 100)
    append(".")
    append(byte: UInt8(48 + value / 10 % 10))
    append(byte: UInt8(48 + value % 10))
  }
}
