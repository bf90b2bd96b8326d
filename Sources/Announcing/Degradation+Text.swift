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
    case .buttonMissing: "button"
    case .cameraMoved, .tooDark: "calibration"
    case .configurationRefused: "configuration"
    case .gpioLibraryMissing, .gpioChipMissing, .ledLabelUnknown, .ledNameUnknown,
      .ledNumberTooLarge, .ledBusy, .ledForbidden, .ledRefused, .ledLost:
      "leds"
    case .stripMissing, .stripForbidden, .stripBusy, .stripUnfit, .stripTooLong, .stripLost,
      .stripLineMissing, .stripLineBusy:
      "strip"
    case .lightsEnded: "lights"
    case .consoleMissing, .consoleForbidden, .consoleUnusable, .consoleNoTerminal,
      .consoleRateRefused, .consoleLost:
      "console"
    default: "camera"
    }
  }

  /// Whether both are faults of one part.
  public func isOfSamePart(as other: Degradation) -> Bool {
    let (first, second) = (part, other.part)
    if first.utf8CodeUnitCount != second.utf8CodeUnitCount { return false }
    for index in 0..<first.utf8CodeUnitCount where first.utf8Start[index] != second.utf8Start[index]
    {
      return false
    }
    return true
  }

  /// The part in Indonesian.
  var indonesianPart: StaticString {
    switch self {
    case .voiceDataMissing, .voiceLanguageMissing, .soundDeviceMissing, .soundDeviceLost,
      .soundFileUnwritable, .voiceSilent, .voiceUnstartable, .voiceHung, .voiceCrashed:
      "suara"
    case .framesUnreadable: "sumber gambar"
    case .ledgerDiskFull, .ledgerUnwritable, .ledgerInUse, .ledgerDamaged: "catatan"
    case .buttonMissing: "tombol"
    case .cameraMoved, .tooDark: "kalibrasi"
    case .configurationRefused: "pengaturan"
    case .gpioLibraryMissing, .gpioChipMissing, .ledLabelUnknown, .ledNameUnknown,
      .ledNumberTooLarge, .ledBusy, .ledForbidden, .ledRefused, .ledLost:
      "lampu LED"
    case .stripMissing, .stripForbidden, .stripBusy, .stripUnfit, .stripTooLong, .stripLost,
      .stripLineMissing, .stripLineBusy:
      "pita lampu"
    case .lightsEnded: "lampu"
    case .consoleMissing, .consoleForbidden, .consoleUnusable, .consoleNoTerminal,
      .consoleRateRefused, .consoleLost:
      "konsol"
    default: "kamera"
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
    case .cameraMoved:
      "the camera is not where it was calibrated; put it back or run receh calibrate"
    case .tooDark: "there is much less light than when it was calibrated; put on a lamp"
    case .buttonMissing:
      "the button's GPIO line cannot be had; check line in [button] and who else uses it"
    case .configurationRefused:
      "the changed configuration has a mistake; the old one stays, correct it and reload"
    case .gpioLibraryMissing:
      "libgpiod is not installed; install the package libgpiod3 or libgpiod2"
    case .gpioChipMissing:
      "there is no GPIO chip; take the lines out of [leds], or look at 'receh devices'"
    case .ledLabelUnknown:
      "no GPIO chip has the label of an LED's line; 'gpiodetect' shows the labels"
    case .ledNameUnknown:
      "no GPIO line has the name given for an LED; 'gpioinfo' shows the names"
    case .ledNumberTooLarge:
      "an LED's GPIO chip has no line of that number; 'gpioinfo' shows them"
    case .ledBusy:
      "another program has an LED's line; 'gpioinfo' shows which, end it"
    case .ledForbidden:
      "the GPIO lines may not be used; put this user into the group gpio"
    case .ledRefused:
      "an LED's line cannot be an output; choose another one"
    case .ledLost:
      "an LED's line can no longer be set; check its GPIO chip"
    case .stripMissing:
      "the strip's SPI node is not there; switch SPI on (dtparam=spi=on) or correct 'device'"
    case .stripForbidden:
      "the strip's node or lines may not be used; put this user into spi and gpio"
    case .stripBusy:
      "another program has the strip's SPI node; end it"
    case .stripUnfit:
      "what the strip hangs on is no SPI node; correct 'device' of [strip]"
    case .stripTooLong:
      "the SPI driver takes too few bytes; set spidev.bufsiz=32768"
    case .stripLost:
      "the strip's node or line takes no more; check that it is still there"
    case .stripLineMissing:
      "a GPIO line of the strip is not there; 'gpioinfo' shows the lines"
    case .stripLineBusy:
      "another program has a GPIO line of the strip; 'gpioinfo' shows which, end it"
    case .lightsEnded:
      "the process that drives the lights has ended; it is started anew"
    case .consoleMissing:
      "the console's tty is not there; connect it or correct 'device' of [console]"
    case .consoleForbidden:
      "the console's tty may not be used; put this user into the group dialout"
    case .consoleUnusable:
      "the console's tty cannot be opened; end the program that has it"
    case .consoleNoTerminal:
      "what the console is said to be is no tty; correct 'device' of [console]"
    case .consoleRateRefused:
      "the console's tty does not have the rate that is set; choose another 'baud'"
    case .consoleLost:
      "the console has been hung up or taken away; connect it again"
    default: cameraReason
    }
  }

  /// Why, in Indonesian.
  public var indonesianReason: StaticString {
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
    case .cameraMoved: "kamera bergeser; kembalikan atau kalibrasi ulang"
    case .tooDark: "terlalu gelap; nyalakan lampu"
    case .buttonMissing: "tombol tidak terhubung; periksa kabelnya"
    case .configurationRefused:
      "pengaturan baru salah; yang lama tetap dipakai, perbaiki lalu muat ulang"
    case .gpioLibraryMissing:
      "libgpiod tidak ada; pasang paket libgpiod3 atau libgpiod2"
    case .gpioChipMissing:
      "tidak ada GPIO; hapus jalur di [leds]"
    case .ledLabelUnknown:
      "tidak ada chip GPIO dengan label itu; lihat 'gpiodetect'"
    case .ledNameUnknown:
      "tidak ada jalur GPIO dengan nama itu; lihat 'gpioinfo'"
    case .ledNumberTooLarge:
      "chip GPIO tidak punya jalur bernomor itu; lihat 'gpioinfo'"
    case .ledBusy:
      "jalur LED dipakai program lain; hentikan program itu"
    case .ledForbidden:
      "GPIO tidak boleh dipakai; masukkan pengguna ke grup gpio"
    case .ledRefused:
      "jalur LED tidak bisa menjadi keluaran; pilih jalur lain"
    case .ledLost:
      "jalur LED tidak bisa diatur lagi; periksa chip GPIO"
    case .stripMissing:
      "SPI untuk pita lampu tidak ada; nyalakan SPI (dtparam=spi=on)"
    case .stripForbidden:
      "pita lampu tidak boleh dipakai; masukkan pengguna ke grup spi dan gpio"
    case .stripBusy:
      "SPI pita lampu dipakai program lain; hentikan program itu"
    case .stripUnfit:
      "sambungan pita lampu bukan SPI; perbaiki 'device' di [strip]"
    case .stripTooLong:
      "SPI menerima terlalu sedikit data; pasang spidev.bufsiz=32768"
    case .stripLost:
      "pita lampu tidak menerima data lagi; periksa sambungannya"
    case .stripLineMissing:
      "jalur GPIO pita lampu tidak ada; lihat 'gpioinfo'"
    case .stripLineBusy:
      "jalur GPIO pita lampu dipakai program lain; hentikan program itu"
    case .lightsEnded:
      "penggerak lampu berhenti dan dinyalakan ulang"
    case .consoleMissing:
      "tty konsol tidak ada; sambungkan atau perbaiki 'device' di [console]"
    case .consoleForbidden:
      "tty konsol tidak boleh dipakai; masukkan pengguna ke grup dialout"
    case .consoleUnusable:
      "tty konsol tidak dapat dibuka; hentikan program yang memakainya"
    case .consoleNoTerminal:
      "perangkat konsol bukan tty; perbaiki 'device' di [console]"
    case .consoleRateRefused:
      "tty konsol tidak mendukung kecepatan itu; pilih 'baud' lain"
    case .consoleLost:
      "konsol terputus; sambungkan lagi"
    default: indonesianCameraReason
    }
  }
}
