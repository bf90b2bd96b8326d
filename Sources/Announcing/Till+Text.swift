import Counting

// JSON of what is kept.
extension Text {
  mutating func append(_ batch: Batch) {
    append(batch.kind.name)
    append("\"")
    append(field: ",\"total\":", batch.total)
    append(field: ",\"coins\":", Int(batch.counts.coins))
    append(field: ",\"unsure\":", Int(batch.counts.unsure))
    if batch.kind == .sale { append(field: ",\"price\":", batch.price) }
  }

  mutating func append(_ saved: Saved) {
    append(saved.sequence > 0 ? "saved\",\"kind\":\"" : "added\",\"kind\":\"")
    append(saved.kind.name)
    append("\"")
    if saved.sequence > 0 { append(field: ",\"sequence\":", saved.sequence) }
    append(field: ",\"total\":", saved.total)
    append(field: ",\"session_total\":", saved.sessionTotal)
  }

  mutating func append(_ target: Target) {
    append("target\"")
    append(field: ",\"price\":", target.price)
    append(field: ",\"total\":", target.total)
    append(field: ",\"missing\":", target.missing)
    append(field: ",\"change\":", target.change)
    append(field: ",\"unsure\":", target.unsure)
  }

  mutating func append(_ state: ModeState) {
    append("mode\",\"mode\":\"")
    append(state.mode.name)
    append("\"")
    append(field: ",\"price\":", state.price)
    append(field: ",\"session_total\":", state.sessionTotal)
  }
}

// Lines for people.
extension Text {
  mutating func append(_ batch: Batch, in language: Language) {
    append(batch.kind.title(in: language))
    append(" ")
    append(rupiah: batch.total, in: language)
    append(" (")
    append(Int(batch.counts.coins))
    append(language.choose(" koin", batch.counts.coins == 1 ? " coin" : " coins"))
    if batch.counts.unsure > 0 {
      append(", ")
      append(Int(batch.counts.unsure))
      append(language.choose(" tidak dikenal", " unknown"))
    }
    append(")")
  }

  mutating func append(_ saved: Saved, in language: Language) {
    if saved.sequence > 0 {
      append(language.choose("Disimpan no. ", "Saved as no. "))
      append(saved.sequence)
    } else {
      append(language.choose("Ditambahkan", "Added"))
    }
    append(": ")
    append(saved.kind.title(in: language))
    append(" ")
    append(rupiah: saved.total, in: language)
    if saved.kind == .batch {
      append(language.choose(", total sesi ", ", session total "))
      append(rupiah: saved.sessionTotal, in: language)
    }
  }

  mutating func append(_ target: Target, in language: Language) {
    append(language.choose("Harga ", "Price "))
    append(rupiah: target.price, in: language)
    append(", total ")
    append(rupiah: target.total, in: language)
    if target.missing > 0 {
      append(language.choose(", kurang ", ", missing "))
      append(rupiah: target.missing, in: language)
    } else if target.change > 0 {
      append(language.choose(", kembali ", ", change "))
      append(rupiah: target.change, in: language)
    } else {
      append(language.choose(", pas", ", exact"))
    }
    if target.unsure > 0 {
      append(" (")
      append(target.unsure)
      append(
        language.choose(
          " koin tidak dikenal)", target.unsure == 1 ? " unknown coin)" : " unknown coins)"))
    }
  }

  mutating func append(_ state: ModeState, in language: Language) {
    append(language.choose("Mode ", "Mode: "))
    append(state.mode.title(in: language))
    if state.mode == .target {
      append(" ")
      append(rupiah: state.price, in: language)
    }
    if state.mode == .session && state.sessionTotal > 0 {
      append(language.choose(", total sesi ", ", session total "))
      append(rupiah: state.sessionTotal, in: language)
    }
  }
}

// What is spoken.
extension Text {
  /// Appends what is said of coins that have been kept: "disimpan, total seribu lima ratus rupiah".
  public mutating func append(spoken saved: Saved, in language: Language) {
    if saved.kind == .session {
      append(language.choose("sesi selesai", "session closed"))
    } else if saved.sequence > 0 {
      append(language.choose("disimpan", "saved"))
    } else {
      append(language.choose("ditambahkan", "added"))
    }
    append(", total ")
    appendMoney(spoken: saved.kind == .batch ? saved.sessionTotal : saved.total, in: language)
    if saved.price > 0 && saved.total > saved.price {
      append(language.choose(", kembali ", ", change "))
      appendMoney(spoken: saved.total - saved.price, in: language)
    }
    appendUnsure(spoken: saved.unsure, in: language)
  }

  /// Appends what is said of a price: "kurang lima ratus rupiah", or what is to be given back.
  public mutating func append(spoken target: Target, in language: Language) {
    if target.total > 0 {
      appendMoney(spoken: target.total, in: language)
      append(", ")
    }
    if target.missing > 0 {
      append(language.choose("kurang ", "missing "))
      appendMoney(spoken: target.missing, in: language)
    } else if target.change > 0 {
      append(language.choose("kembali ", "change "))
      appendMoney(spoken: target.change, in: language)
    } else {
      append(language.choose("pas", "exact"))
    }
    appendUnsure(spoken: target.unsure, in: language)
  }

  /// Appends what is said of a mode: "mode sesi".
  public mutating func append(spoken state: ModeState, in language: Language) {
    append(language.choose("mode ", ""))
    append(state.mode.title(in: language))
    append(language.choose("", " mode"))
    if state.mode == .target {
      append(", ")
      appendMoney(spoken: state.price, in: language)
    }
    if state.mode == .session && state.sessionTotal > 0 {
      append(", total ")
      appendMoney(spoken: state.sessionTotal, in: language)
    }
  }

  private mutating func appendMoney(spoken amount: Int, in language: Language) {
    append(spoken: min(max(amount, 0), 999_999_999_999), in: language)
    append(" rupiah")
  }

  private mutating func appendUnsure(spoken count: Int, in language: Language) {
    if count == 0 { return }
    append(", ")
    append(
      coins: count, in: language, indonesian: " koin tidak dikenal", english: " unknown coin")
  }
}

extension EntryKind {
  /// The kind's name in the ledger's file and in JSON.
  public var name: StaticString {
    switch self {
    case .batch: "batch"
    case .session: "session"
    case .sale: "sale"
    case .tray: "tray"
    }
  }

  /// The kind's name for people.
  public func title(in language: Language) -> StaticString {
    switch self {
    case .batch: language.choose("setoran", "batch")
    case .session: language.choose("sesi", "session")
    case .sale: language.choose("penjualan", "sale")
    case .tray: language.choose("baki", "tray")
    }
  }
}

extension Mode {
  /// The mode's name in JSON and in the configuration.
  public var name: StaticString {
    switch self {
    case .tray: "tray"
    case .session: "session"
    case .target: "target"
    }
  }

  /// The mode's name for people.
  func title(in language: Language) -> StaticString {
    switch self {
    case .tray: language.choose("baki", "tray")
    case .session: language.choose("sesi", "session")
    case .target: language.choose("harga", "price")
    }
  }
}
