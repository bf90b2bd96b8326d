import Announcing
import CSystem

extension Survey {
  /// The sound cards, and what the voice needs besides.
  mutating func writeSound() {
    head("Sound")
    var hasOutput = false
    if let cards = tree.read(tree.path("/proc/asound/pcm")) {
      // Lines such as "00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8".
      var line = Text<256>()
      for index in 0...cards.count {
        if index < cards.count && cards[index] != 10 {
          line.append(byte: cards[index])
          continue
        }
        if line.count > 0 {
          output.write("  ")
          output.write(printable: line)
          output.write("\n")
        }
        hasOutput = hasOutput || line.contains("playback")
        line.removeAll()
      }
    }
    var isForbidden = false
    for name in tree.names(in: "/dev/snd", beginning: "pcm") {
      if !node(tree.path("/dev/snd/", name), part: "sound", group: "audio", { _ in }) {
        isForbidden = true
      }
    }
    if !hasOutput && !isForbidden {
      output.write("  no device that plays\n")
      trouble(
        "sound", "there is no sound device",
        fix: board.isPi && board != .pi5
          ? "connect a USB loudspeaker, or add dtparam=audio=on to config.txt and restart"
          : "connect a USB loudspeaker, or a screen with loudspeakers")
    }
    writeVoice()
  }

  private mutating func writeVoice() {
    for folder in Survey.voiceFolders {
      let language = configuration.language == .indonesian
      if !tree.has(tree.path(folder, nil, "/phontab")) { continue }
      item("espeak-ng") { line in
        line.write("data in ")
        line.write(folder)
      }
      if !tree.has(tree.path(folder, nil, language ? "/id_dict" : "/en_dict")) {
        trouble(
          "voice", "espeak-ng has no voice of the language configured",
          fix: "sudo apt install --reinstall espeak-ng-data")
      }
      return
    }
    item("espeak-ng") { $0.write("no data") }
    trouble(
      "voice", "espeak-ng's data is not there", fix: "sudo apt install espeak-ng-data")
  }

  /// Where Debian keeps espeak-ng's data.
  private static var voiceFolders: [StaticString] {
    [
      "/usr/lib/aarch64-linux-gnu/espeak-ng-data", "/usr/lib/x86_64-linux-gnu/espeak-ng-data",
      "/usr/lib/arm-linux-gnueabihf/espeak-ng-data", "/usr/share/espeak-ng-data",
    ]
  }
}
