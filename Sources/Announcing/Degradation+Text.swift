import Counting

extension Degradation {
  /// The part that has stopped working, as named in the JSON lines.
  var part: StaticString {
    switch self {
    case .voiceDataMissing, .voiceLanguageMissing, .soundDeviceMissing, .soundDeviceLost,
      .soundFileUnwritable, .voiceSilent, .voiceUnstartable, .voiceHung, .voiceCrashed:
      "voice"
    case .framesUnreadable: "source"
    case .ledgerDiskFull, .ledgerUnwritable, .ledgerInUse, .ledgerDamaged: "ledger"
    case .configurationRefused: "configuration"
    }
  }

  /// The part in Indonesian.
  var indonesianPart: StaticString {
    switch self {
    case .voiceDataMissing, .voiceLanguageMissing, .soundDeviceMissing, .soundDeviceLost,
      .soundFileUnwritable, .voiceSilent, .voiceUnstartable, .voiceHung, .voiceCrashed:
      "suara"
    case .framesUnreadable: "sumber gambar"
    case .ledgerDiskFull, .ledgerUnwritable, .ledgerInUse, .ledgerDamaged: "catatan"
    case .configurationRefused: "pengaturan"
    }
  }

  /// Why, and the way out, in English.
  public var reason: StaticString {
    switch self {
    case .voiceDataMissing:
      "espeak-ng's data cannot be read; install the package espeak-ng-data"
    case .voiceLanguageMissing:
      "espeak-ng has no voice of this language; reinstall the package espeak-ng-data"
    case .soundDeviceMissing:
      "no sound device can be opened; connect one, or use --wav FILE or --no-voice"
    case .soundDeviceLost:
      "the sound device takes no more samples; check that it is still connected"
    case .soundFileUnwritable:
      "the WAV file cannot be written; check its folder and the free space"
    case .voiceSilent:
      "espeak-ng did not answer in time; restart, or use --no-voice"
    case .voiceUnstartable:
      "the voice's process cannot be started; end other programs, or use --no-voice"
    case .voiceHung:
      "speaking got stuck and the voice is started anew; check the sound device"
    case .voiceCrashed:
      "the voice broke down and is started anew; if it repeats, reinstall espeak-ng-data"
    case .framesUnreadable:
      "a frame could not be read and was left out; check the pictures of the source"
    case .ledgerDiskFull:
      "the ledger's disk is full and totals wait in memory; free some space"
    case .ledgerUnwritable:
      "the ledger cannot be written and totals wait in memory; check its folder and disk"
    case .ledgerInUse:
      "another receh writes to the ledger and totals wait in memory; stop one of the two"
    case .ledgerDamaged:
      "some lines of the ledger are damaged and left as they are; see receh ledger"
    case .configurationRefused:
      "the changed configuration has a mistake; the old one stays, correct it and reload"
    }
  }

  /// Why, in Indonesian.
  var indonesianReason: StaticString {
    switch self {
    case .voiceDataMissing: "data espeak-ng tidak terbaca; pasang paket espeak-ng-data"
    case .voiceLanguageMissing:
      "espeak-ng tidak punya suara bahasa ini; pasang ulang paket espeak-ng-data"
    case .soundDeviceMissing: "perangkat suara tidak dapat dibuka; sambungkan pengeras suara"
    case .soundDeviceLost: "perangkat suara berhenti; periksa sambungannya"
    case .soundFileUnwritable: "berkas WAV tidak dapat ditulis; periksa folder dan ruang kosong"
    case .voiceSilent: "espeak-ng tidak menjawab; nyalakan ulang"
    case .voiceUnstartable: "suara tidak dapat dijalankan; tutup program lain"
    case .voiceHung: "suara macet dan dijalankan ulang; periksa perangkat suara"
    case .voiceCrashed: "suara rusak dan dijalankan ulang; pasang ulang paket espeak-ng-data"
    case .framesUnreadable: "sebuah gambar tidak terbaca dan dilewati; periksa sumber gambar"
    case .ledgerDiskFull: "kartu penyimpanan penuh; kosongkan ruang"
    case .ledgerUnwritable: "catatan tidak dapat disimpan; periksa kartu penyimpanan"
    case .ledgerInUse: "catatan sedang dipakai program lain; hentikan salah satunya"
    case .ledgerDamaged: "beberapa baris catatan rusak dan dibiarkan"
    case .configurationRefused:
      "pengaturan baru salah; yang lama tetap dipakai, perbaiki lalu muat ulang"
    }
  }
}
