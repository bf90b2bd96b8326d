import Announcing
import Camera
import Foundation
import Lights
import TestSupport
import Testing

@testable import receh

@Suite struct ConfigurationTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What a text reads as; the fault instead, where there is one.
  private func read(_ text: String) -> (Configuration, ConfigurationFault?) {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { raw in
      var parser = ConfigurationParser(bytes: raw)
      let fault = parser.parse()
      return (parser.configuration, fault)
    }
  }

  /// The error line of a run with a configuration of this text, after the file's name.
  private func complaint(_ text: String) throws -> String {
    let path = try folder.file("receh.conf", Array(text.utf8))
    let result = try Command.run("run", "--config", path, "--source", folder.path)
    #expect(result.status == 2)
    #expect(result.complaints.count == 1)
    let line = result.complaints.first ?? ""
    let prefix = "receh run: \(path):"
    #expect(line.hasPrefix(prefix))
    return String(line.dropFirst(prefix.count))
  }

  @Test func everyKeyIsObeyed() {
    let (configuration, fault) = read(
      """
      ; a comment
      language = en
      withdrawn=count
      stable = 400
      model = /var/lib/receh/own.model

      [voice]
      enabled = off
      volume = 150
      rate = 90
      pitch = 10
      [strip]
      # another comment
      length = 144
      brightness = 5
      terminal = on
      type = sk9822
      device = /dev/spidev1.2
      clock = GPIO5
      data = pinctrl-rp1:6
      speed = 8000000
      order = grb
      ones = 010203
      tens = 040506
      hundreds = 070809
      thousands = 0A0b0C
      ten-thousands = 0d0e0f
      zero = 101112
      unsure = 131415
      fault = 161718
      overflow = 191a1b
      [leds]
      ready = GPIO17
      counting = gpio-sim.0:node0:3
      unsure = GPIO27
      fault = off
      bar = GPIO20  pinctrl-rp1:21
      target = 25000
      active = low
      [camera]
      device = /dev/v4l/by-id/tray
      format = Y8
      rate = 15
      exposure = 200
      white-balance = camera
      focus = 12
      mains = 60
      timeout = 900
      [console]
      enabled = on
      device = /dev/ttyUSB0
      baud = 31250
      format = json
      """)
    #expect(fault == nil)
    #expect(configuration.language == .english)
    #expect(configuration.countsWithdrawn)
    #expect(configuration.stableMilliseconds == 400)
    #expect((0..<25).map { configuration.model[$0] } == Array("/var/lib/receh/own.model\0".utf8))
    #expect(!configuration.isVoiceOn)
    #expect(configuration.volume == 150 && configuration.rate == 90 && configuration.pitch == 10)
    let strip = configuration.lights.strip
    #expect(strip.length == 144 && strip.brightness == 5)
    #expect(configuration.stripDrawing == .on)
    #expect(strip.kind == .sk9822 && strip.order == .grb && strip.speed == 8_000_000)
    #expect(Self.string(strip.device) == "/dev/spidev1.2\0")
    #expect(Self.describe(strip.clock) == "GPIO5" && Self.describe(strip.data) == "pinctrl-rp1:6")
    var palette = StripPalette()
    palette.ones = Color(red: 1, green: 2, blue: 3)
    palette.tens = Color(red: 4, green: 5, blue: 6)
    palette.hundreds = Color(red: 7, green: 8, blue: 9)
    palette.thousands = Color(red: 10, green: 11, blue: 12)
    palette.tenThousands = Color(red: 13, green: 14, blue: 15)
    palette.zero = Color(red: 16, green: 17, blue: 18)
    palette.unsure = Color(red: 19, green: 20, blue: 21)
    palette.fault = Color(red: 22, green: 23, blue: 24)
    palette.overflow = Color(red: 25, green: 26, blue: 27)
    #expect(strip.palette == palette)
    let lamps = configuration.lights.lamps
    #expect(Self.describe(lamps.ready) == "GPIO17")
    #expect(Self.describe(lamps.counting) == "gpio-sim.0:node0:3")
    #expect(Self.describe(lamps.unsure) == "GPIO27" && lamps.fault == nil)
    let bar = (0..<lamps.barCount).map { Self.describe(lamps.bar[$0]) }
    #expect(bar == ["GPIO20", "pinctrl-rp1:21"])
    #expect(lamps.target == 25_000 && lamps.isActiveLow)
    let camera = configuration.camera
    #expect(Self.string(camera.device) == "/dev/v4l/by-id/tray\0")
    #expect(camera.format == 0x2020_3859 && camera.rate == 15 && camera.timeout == 900)
    #expect(camera.exposure == .fixed(200) && camera.whiteBalance == .untouched)
    #expect(camera.focus == .fixed(12) && camera.mains == 60)
    #expect(configuration.console.use == .on && configuration.console.baud == 31_250)
    #expect(Self.string(configuration.console.device) == "/dev/ttyUSB0\0")
    #expect(configuration.console.isJSON)
  }

  private static func string<let Capacity: Int>(_ text: Text<Capacity>) -> String {
    String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
  }

  private static func describe(_ address: LineAddress?) -> String? {
    guard let address else { return nil }
    return address.name.count > 0
      ? string(address.name) : "\(string(address.chip)):\(address.offset)"
  }

  @Test func theExampleNamesEveryKeyWithItsDefault() throws {
    let path =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path + "/board/receh.conf"
    let example = try String(contentsOfFile: path, encoding: .utf8)
    // The commented keys are made to speak; the model's path alone is not its default.
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && line.contains(" = ") && !line.hasPrefix("# ")
        ? String(line.dropFirst()) : String(line)
    }
    let (configuration, fault) = read(lines.joined(separator: "\n"))
    #expect(fault == nil)
    let defaults = Configuration()
    #expect(configuration.language == defaults.language)
    #expect(configuration.countsWithdrawn == defaults.countsWithdrawn)
    #expect(configuration.stableMilliseconds == defaults.stableMilliseconds)
    #expect(configuration.isVoiceOn == defaults.isVoiceOn)
    #expect(configuration.volume == defaults.volume && configuration.rate == defaults.rate)
    #expect(configuration.pitch == defaults.pitch)
    #expect(configuration.lights == defaults.lights)
    #expect(configuration.stripDrawing == defaults.stripDrawing)
    #expect(configuration.console == defaults.console)
    #expect(configuration.camera == defaults.camera)
    // Each key stands in its own section.
    var section = ""
    var documented: Set<String> = []
    for line in lines {
      if line.hasPrefix("[") { section = String(line.dropFirst().dropLast()) }
      guard let equals = line.range(of: " = "), !line.hasPrefix("#") else { continue }
      documented.insert("\(section)/\(line[..<equals.lowerBound])")
    }
    let keys = Set(ConfigurationKey.all().map { "\($0.section)/\($0.name)" })
    #expect(documented == keys)
  }

  @Test(arguments: [
    ("volumne = 3", "1: unknown key 'volumne'"),
    ("\n[voice]\nlanguage = id", "3: unknown key 'language' of [voice]"),
    ("[lamps]\nlength = 30", "2: unknown key 'length' of [lamps]"),
    ("language = fr", "1: 'fr' is no value of 'language'; give id or en"),
    ("withdrawn = yes", "1: 'yes' is no value of 'withdrawn'; give count or ignore"),
    ("stable = -1", "1: '-1' is no value of 'stable'; give a whole number from 0 to 10000"),
    ("[voice]\nvolume = 201", "2: '201' is no value of 'volume'"),
    ("[voice]\nrate = fast", "2: 'fast' is no value of 'rate'"),
    ("[strip]\nlength =", "2: '' is no value of 'length'"),
    ("language = id\n\nlanguage = id", "3: 'language' is given again; it was on line 1 already"),
    ("language = id\nnonsense\n", "2: is neither 'key = value' nor '[section]'"),
    ("[voice\nrate = 100", "1: is neither 'key = value' nor '[section]'"),
    ("nonsense\nlanguage = fr", "1: is neither"),
    ("language = fr\nnonsense", "1: 'fr' is no value"),
    ("[strip]\ntype = neon", "2: 'neon' is no value of 'type'; give none, apa102, sk9822"),
    ("[strip]\nclock = GPIO5", "2: 'clock' of [strip] needs 'clock' and 'data'"),
    ("[strip]\n\ndata = GPIO5", "3: 'data' of [strip] needs 'clock' and 'data'"),
    (
      "[strip]\nclock = GPIO5\ndata = GPIO6\ntype = ws2812b",
      "2: 'clock' of [strip] is not for a WS2812B strip"
    ),
    ("[strip]\nzero = ff00f", "2: 'ff00f' is no value of 'zero'; give six hexadecimal digits"),
    ("[strip]\nzero = ff00ff0", "2: 'ff00ff0' is no value of 'zero'"),
    ("[strip]\nzero = ff00fg", "2: 'ff00fg' is no value of 'zero'"),
    ("[strip]\ndevice = /\(String(repeating: "x", count: 150))", "2: 'device' of [strip] is"),
    ("[leds]\nready = chip:", "2: 'chip:' is no value of 'ready'; give off, a line's name"),
    ("[leds]\nready = :4", "2: ':4' is no value of 'ready'"),
    ("[leds]\nready = chip:99999999999999999999", "2: 'chip:99999999999999999999' is no value"),
    ("[leds]\nready = two words", "2: 'two words' is no value of 'ready'"),
    ("[leds]\nready = \(String(repeating: "x", count: 32))", "2: 'xxxx"),
    ("[leds]\nbar = 1 2 3 4 5 6 7 8 9 10 11", "2: '1 2 3 4 5 6 7 8 9 10 11' is no value"),
    ("[leds]\nbar =", "2: '' is no value of 'bar'"),
    ("[leds]\nactive = yes", "2: 'yes' is no value of 'active'; give high or low"),
    ("[camera]\nformat = YUYV2", "2: 'YUYV2' is no value of 'format'; give auto or four letters"),
    ("[camera]\nexposure = 0", "2: '0' is no value of 'exposure'; give camera, auto or tenths"),
    ("[camera]\nmains = 55", "2: '55' is no value of 'mains'; give 50, 60 or camera"),
    ("[camera]\ndevice =", "2: '' is no value of 'device'; give auto or the path of a node"),
    ("[camera]\nrate = 0", "2: '0' is no value of 'rate'; give a whole number from 1 to 120"),
    ("[console]\nenabled = yes", "2: 'yes' is no value of 'enabled'; give auto, on or off"),
    ("[console]\nbaud = 49", "2: '49' is no value of 'baud'; give a whole number from 50"),
    ("[console]\nformat = xml", "2: 'xml' is no value of 'format'; give text or json"),
    ("model = \(String(repeating: "x", count: 300))", "1: is too long"),
    ("language = \u{1B}[2J", "1: '\\x1b[2J' is no value"),
    ("language = id\0withdrawn = count", "1: is neither"),
  ])
  func aMistakeIsToldWithItsLineAndTheWayOut(_ text: String, _ expected: String) throws {
    #expect(try complaint(text).hasPrefix(expected))
  }

  @Test func aConfigurationThatCannotBeReadIsTold() throws {
    for path in [folder.path + "/none.conf", folder.path] {
      let result = try Command.run("run", "--config", path, "--source", folder.path)
      #expect(result.status == 2)
      #expect(result.complaints.first?.hasPrefix("receh run: \(path): cannot be read (") == true)
    }
  }

  @Test func anyTextIsReadOrRefusedWithALineOfItsOwn() {
    var dice = Dice(state: 64)
    let keys = ConfigurationKey.all()
    let pieces =
      ["=", " ", "\n", "[", "]", "#", ";", ":", "\r\n", "\t", "off", "on", "0", "-", "999999999"]
      + ["\u{0}", "\u{1b}", "\u{fffd}", "ffffff", String(repeating: "x", count: 90)]
      + keys.flatMap { ["\($0.name)", "\n\($0.name) = ", "\n[\($0.section)]\n"] }
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...30, using: &dice)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &dice)]
      }.joined()
      guard let fault = read(text).1 else { continue }
      let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
      #expect(fault.line >= 1 && fault.line <= lines)
    }
  }

  @Test func anEmptyFileIsAllDefaults() {
    let (configuration, fault) = read("")
    #expect(fault == nil)
    #expect(configuration.stableMilliseconds == 250 && configuration.isVoiceOn)
  }

  @Test func theConfigurationIsObeyedByARun() throws {
    let fixture = try RunFixture()
    try fixture.show([RunFixture.red], frames: 8)
    let path = try folder.file(
      "receh.conf",
      Array(
        """
        language = en
        model = \(fixture.model)
        [voice]
        enabled = off
        [strip]
        terminal = on
        length = 8
        brightness = 100
        """.utf8))
    let result = try Command.run("run", "--config", path, "--source", fixture.frames)
    #expect(result.status == 0)
    #expect(result.lines.contains("Total Rp100 (1 coin)"))
    // The strip of eight lights shows 1, 0, 0: a green light, two faint ones, and darkness.
    let strip = result.lines.first { $0.contains("48;2;0;220;40m") } ?? ""
    #expect(strip.components(separatedBy: "48;2;40;40;40m").count == 3)
    #expect(strip.components(separatedBy: "48;2;").count == 9)
  }
}
