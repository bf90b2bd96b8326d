import Counting

extension Text {
  /// Appends an answer for a person to read, newlines included.
  public mutating func append(console answer: Answer, in language: Language) {
    switch answer {
    case .total(let total): append(total, in: language)
    case .repeated(let total, let isSpoken):
      append(total, in: language)
      if !isSpoken { append(language.choose(" (tanpa suara)", " (not spoken)")) }
    case .reset: append(language.choose("Menghitung dari awal.", "Counting anew."))
    case .accepted: append(language.choose("Baik.", "Done."))
    case .refused:
      append(
        language.choose(
          "Belum bisa: beri harga (target 2500), atau model yang dapat diajar.",
          "Not possible: give a price (target 2500), or a model that can be taught."))
    case .status(let status): append(status, in: language)
    case .muted: append(language.choose("Suara dimatikan.", "Muted."))
    case .unmuted(true): append(language.choose("Suara dinyalakan.", "Unmuted."))
    case .unmuted(false): append(language.choose("Tidak ada suara.", "There is no voice."))
    case .help: append(language.choose(indonesianHelp, englishHelp))
    case .unknown:
      append(
        language.choose(
          "Perintah tidak dikenal; ketik help.", "No such command; type help."))
    case .tooLong:
      append(
        language.choose("Baris terlalu panjang; ketik help.", "The line is too long; type help."))
    }
    append("\n")
  }

  /// Appends a notice of lines that a slow reader has lost.
  public mutating func append(consoleLoss lines: Int, in language: Language) {
    append("(")
    append(lines)
    append(language.choose(" baris hilang: pembaca terlalu lambat)", " lines lost: slow reader)"))
    append("\n")
  }

  private mutating func append(_ status: Status, in language: Language) {
    append(status.total, in: language)
    append(language.choose("\nGambar: ", "\nFrames: "))
    append(status.frames)
    append(", ")
    append(status.milliseconds / 1000)
    append(language.choose(" detik", " seconds"))
    if status.isHolding { append(language.choose("; menunggu", "; holding")) }
    append(language.choose("\nSuara: ", "\nVoice: "))
    append(
      !status.hasVoice
        ? language.choose("tidak ada", "none")
        : status.isMuted ? language.choose("mati", "muted") : language.choose("nyala", "on"))
    append(language.choose("\nGangguan: ", "\nFaults: "))
    append(status.hasFault ? language.choose("ada", "some") : language.choose("tidak ada", "none"))
  }
}

private let indonesianHelp: StaticString = """
  total   jumlah sekarang
  repeat  ucapkan lagi jumlahnya
  reset   hitung dari awal
  status  keadaan alat
  mute    matikan suara
  unmute  nyalakan suara
  tray, session, target HARGA
          hitung isi baki, setoran, atau sampai harga
  keep    simpan isi baki, atau akhiri sesi
  teach NAMA atau NILAI
          pelajari koin baru
  calibrate, cancel
          kalibrasi baki; batalkan
  help    bantuan ini
  """

private let englishHelp: StaticString = """
  total   the present total
  repeat  say the total again
  reset   count anew
  status  how things stand
  mute    speak no more
  unmute  speak again
  tray, session, target PRICE
          count the tray, batches, or up to a price
  keep    keep what lies on the tray, or end the session
  teach NAME or VALUE
          learn a coin
  calibrate, cancel
          learn the tray; end learning
  help    this help
  """
