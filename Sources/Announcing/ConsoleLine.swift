import Counting
import Detection

extension Text {
  /// Appends `event` as one line of JSON, or as one for a person to read.
  public mutating func append(_ event: Event, asJSON: Bool, in language: Language) {
    if asJSON {
      append(json: event)
    } else {
      append(console: event, in: language)
    }
  }

  /// Appends `event` as one line for a person to read, newline included.
  public mutating func append(console event: Event, in language: Language) {
    switch event.kind {
    case .ready: append(language.choose("Siap menghitung.", "Ready to count."))
    case .coinAdded(let coin):
      append("+ ")
      append(coin, in: language)
    case .coinRemoved(let coin):
      append("- ")
      append(coin, in: language)
    case .total(let total): append(total, in: language)
    case .batch(let batch): append(batch, in: language)
    case .saved(let saved): append(saved, in: language)
    case .target(let target): append(target, in: language)
    case .mode(let mode): append(mode, in: language)
    case .lesson(let lesson): append(lesson, in: language)
    case .calibration(let step): append(step, in: language)
    case .hold(.motion):
      append(language.choose("Tunggu, ada yang bergerak.", "Hold: something is moving."))
    case .hold(.obstacle):
      append(language.choose("Tunggu, ada yang menutupi.", "Hold: something is in the way."))
    case .hold(.crowded):
      append(language.choose("Tunggu, terlalu banyak koin.", "Hold: too many coins."))
    case .degraded(let degradation):
      append(language.choose("Gangguan: ", "Degraded: "))
      append(language.choose(degradation.indonesianReason, degradation.reason))
      append(".")
    case .repeated(let degradation, let times):
      append(language.choose("Gangguan ", "Degraded "))
      append(times)
      append(language.choose(" kali: ", " times: "))
      append(language.choose(degradation.indonesianReason, degradation.reason))
      append(".")
    case .recovered(let degradation):
      append(language.choose("Pulih: ", "Recovered: "))
      append(language.choose(degradation.indonesianPart, degradation.part))
      append(".")
    case .cameraLost(let degradation):
      append(language.choose("Kamera: ", "Camera: "))
      append(language.choose(degradation.indonesianReason, degradation.reason))
      append(".")
    case .cameraBack: append(language.choose("Kamera siap lagi.", "The camera is back."))
    case .reloaded: append(language.choose("Pengaturan dimuat ulang.", "Configuration reloaded."))
    case .stopped: append(language.choose("Selesai.", "Stopped."))
    }
    append("\n")
  }

  /// Appends an amount of money, such as `Rp1.600`.
  public mutating func append(rupiah amount: Int, in language: Language) {
    append("Rp")
    append(amount, groupedBy: UInt8(ascii: language == .indonesian ? "." : ","))
  }

  private mutating func append(_ coin: Coin, in language: Language) {
    if coin.value == 0 && coin.name.count > 0 {
      append(coin.name)
      return
    }
    if coin.value == 0 {
      append(language.choose("koin tidak dikenal", "unknown coin"))
      return
    }
    append(rupiah: Int(coin.value), in: language)
    if coin.isWithdrawn {
      append(language.choose(" (sudah ditarik dari peredaran)", " (withdrawn)"))
    }
  }

  /// Appends a total for a person to read, without a newline.
  mutating func append(_ total: Total, in language: Language) {
    append("Total ")
    append(rupiah: Int(total.total), in: language)
    append(" (")
    append(Int(total.coins))
    append(language.choose(" koin", total.coins == 1 ? " coin" : " coins"))
    if total.unsure > 0 {
      append(", ")
      append(Int(total.unsure))
      append(language.choose(" tidak dikenal", " unknown"))
    }
    for index in 0..<total.named.count {
      append(", ")
      append(Int(total.named.coins(index)))
      append(" ")
      append(total.named.name(index))
    }
    if total.withdrawn > 0 {
      append(", ")
      append(Int(total.withdrawn))
      append(language.choose(" sudah ditarik dari peredaran", " withdrawn"))
    }
    append(")")
  }
}
