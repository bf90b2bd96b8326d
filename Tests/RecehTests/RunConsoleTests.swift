import Foundation
import TestSupport
import Testing

/// The serial console, over a pseudo-terminal, from outside.
@Suite struct RunConsoleTests {
  let fixture: RunFixture
  let terminal: PseudoTerminal

  init() throws {
    fixture = try RunFixture()
    terminal = try PseudoTerminal(at: fixture.folder.path + "/tty")
  }

  /// A run of more frames than it lives to count, stopped at the end of `body`.
  private func withRun(
    _ keys: String = "", output: Pipe? = nil, _ body: (Process) throws -> Void
  ) throws {
    try fixture.show([RunFixture.red, RunFixture.green], frames: 3000)
    let configuration = try fixture.folder.file(
      "receh.conf",
      Array("language = en\n[console]\nenabled = on\ndevice = \(terminal.path)\n\(keys)\n".utf8))
    let process = try fixture.start(
      ["--no-voice", "--fps", "20", "--config", configuration],
      output: output ?? FileHandle.nullDevice)
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try body(process)
  }

  private func lines(_ process: Process, upTo last: String) -> [String] {
    terminal.lines(isOver: { !process.isRunning }, upTo: { $0 == last })
  }

  private func lines(_ process: Process, upToPrefix last: String) -> [String] {
    terminal.lines(isOver: { !process.isRunning }, upTo: { $0.hasPrefix(last) })
  }

  @Test func eventsAreToldAndEveryCommandIsAnswered() throws {
    try withRun { process in
      let told = lines(process, upToPrefix: "Total ")
      #expect(told.first == "Ready to count.")
      #expect(told.last == "Total Rp600 (2 coins)")
      terminal.type("total\r\n")
      #expect(lines(process, upToPrefix: "Total ").last == "Total Rp600 (2 coins)")
      terminal.type("STATUS\n")
      let status = lines(process, upToPrefix: "Faults: ")
      #expect(status.contains("Total Rp600 (2 coins)"))
      #expect(status.contains("Voice: none") && status.last == "Faults: none")
      terminal.type("repeat\n")
      #expect(
        lines(process, upToPrefix: "Total ").last == "Total Rp600 (2 coins) (not spoken)")
      terminal.type("mute\n")
      #expect(lines(process, upTo: "Muted.").last == "Muted.")
      terminal.type("unmute\n")
      #expect(lines(process, upTo: "There is no voice.").last == "There is no voice.")
      terminal.type("help\n")
      let help = lines(process, upToPrefix: "help ")
      for command in ["total", "repeat", "reset", "status", "mute", "unmute", "help"] {
        #expect(help.contains { $0.hasPrefix("\(command) ") }, "\(command)")
      }
      terminal.type("open sesame\n")
      let answer = "No such command; type help."
      #expect(lines(process, upTo: answer).last == answer)
      terminal.type(String(repeating: "z", count: 5000) + "\n")
      let refusal = "The line is too long; type help."
      #expect(lines(process, upTo: refusal).last == refusal)
    }
  }

  @Test func theModeIsChosenAndTheTrayKept() throws {
    let ledger = fixture.folder.path + "/ledger"
    try withRun("[ledger]\nfile = \(ledger)") { process in
      _ = lines(process, upToPrefix: "Total ")
      terminal.type("target\n")
      #expect(lines(process, upToPrefix: "Not possible").last?.hasPrefix("Not possible") == true)
      terminal.type("target 2500\n")
      #expect(lines(process, upTo: "Done.").contains("Mode: price Rp2,500"))
      terminal.type("session\n")
      #expect(lines(process, upTo: "Done.").contains("Mode: session"))
      terminal.type("tray\n")
      #expect(lines(process, upTo: "Done.").contains("Mode: tray"))
      terminal.type("keep\n")
      #expect(
        lines(process, upToPrefix: "Saved as no. 1").last == "Saved as no. 1: tray Rp600")
      terminal.type("teach silver\n")
      #expect(lines(process, upTo: "Lay down one coin only").contains("Lay down one coin"))
      terminal.type("cancel\n")
      #expect(lines(process, upTo: "Done.").contains("Not learned, too few views"))
    }
    let kept = try Command.run("ledger", "--file", ledger, "--csv").lines
    #expect(kept.count == 2 && kept[1].contains(",tray,"))
  }

  @Test func resetCountsTheTrayAnew() throws {
    try withRun { process in
      _ = lines(process, upToPrefix: "Total ")
      terminal.type("reset\n")
      let told = lines(process, upToPrefix: "Total ")
      #expect(told.contains("Counting anew."))
      #expect(told.filter { $0.hasPrefix("+ ") }.count == 2)
      #expect(told.last == "Total Rp600 (2 coins)")
    }
  }

  @Test func programsGetJSON() throws {
    try withRun("format = json") { process in
      let events = lines(process, upToPrefix: "{\"event\":\"total\"")
      #expect(events.first?.hasPrefix("{\"event\":\"ready\"") == true)
      terminal.type("total\nstatus\nhelp\nnonsense\n")
      let answers = lines(process, upToPrefix: "{\"answer\":\"unknown\"")
      for answer in answers {
        #expect(throws: Never.self) {
          _ = try JSONSerialization.jsonObject(with: Data(answer.utf8))
        }
      }
      #expect(answers.contains("{\"answer\":\"total\",\"total\":600,\"coins\":2,\"unsure\":0}"))
    }
  }

  @Test func garbageDoesNoHarm() throws {
    try withRun { process in
      _ = lines(process, upToPrefix: "Total ")
      var dice = Dice(state: 41)
      terminal.type((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &dice) })
      terminal.type("\nmute\n")
      #expect(lines(process, upTo: "Muted.").last == "Muted.")
    }
  }

  @Test func aHangUpIsToldAndTheLineIsTakenUpAgain() throws {
    let output = Pipe()
    try withRun(output: output) { process in
      _ = lines(process, upToPrefix: "Total ")
      terminal.hangUp()
      #expect(output.hasEvent("degraded", part: "console"))
      try terminal.takeUp()
      #expect(output.hasEvent("recovered", part: "console"))
      terminal.type("total\n")
      #expect(lines(process, upToPrefix: "Total ").last == "Total Rp600 (2 coins)")
    }
  }

  @Test func aReloadMovesTheConsoleToAnotherTty() throws {
    let other = try PseudoTerminal(at: fixture.folder.path + "/other-tty")
    try withRun { process in
      _ = lines(process, upToPrefix: "Total ")
      _ = try fixture.folder.file(
        "receh.conf", Array("[console]\nenabled = on\ndevice = \(other.path)\n".utf8))
      kill(process.processIdentifier, SIGHUP)
      // In the language that is the default again.
      let told = other.lines(isOver: { !process.isRunning }, upTo: { $0.contains("dimuat ulang") })
      #expect(told.last?.contains("dimuat ulang") == true)
      other.type("total\n")
      let answer = other.lines(isOver: { !process.isRunning }, upTo: { $0.hasPrefix("Total ") })
      #expect(answer.last == "Total Rp600 (2 koin)")
    }
  }

  @Test func aReaderThatReadsNothingDoesNotHoldTheLoopUp() throws {
    let output = Pipe()
    try withRun(output: output) { process in
      // Far more answers than the line and the program keep, none of which is read.
      for _ in 0..<200 {
        terminal.type("help\n")
        usleep(2000)
      }
      let before = try #require(try frame(of: output))
      let after = try #require(try frame(of: output))
      #expect(after > before)
      // Whoever reads again gets whole lines, and hears that some are lost.
      let lost = " lines lost: slow reader)"
      let lines = terminal.lines(isOver: { !process.isRunning }, upTo: { $0.hasSuffix(lost) })
      #expect(lines.last?.hasSuffix(lost) == true)
    }
  }

  /// The frame of the next total event, which a reset brings.
  private func frame(of output: Pipe) throws -> Int? {
    terminal.type("reset\n")
    var text = ""
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { return nil }
      text += String(decoding: data, as: UTF8.self)
      // The last piece is a line that has not come to its end.
      for line in text.components(separatedBy: "\n").dropLast()
      where line.contains("\"event\":\"total\"") {
        return try JSONDecoder().decode(RunFixture.Event.self, from: Data(line.utf8)).frame
      }
    }
  }

  @Test func aMissingTtyIsToldOnceAndTheRestGoesOn() throws {
    try fixture.show([RunFixture.red], frames: 30)
    let configuration = try fixture.folder.file(
      "receh.conf", Array("[console]\nenabled = on\ndevice = /dev/no-such-tty\n".utf8))
    let result = try fixture.run([
      "--source", fixture.frames, "--json", "--no-voice", "--fps", "10", "--config", configuration,
    ])
    let events = try RunFixture.events(result)
    #expect(result.status == 0)
    #expect(events.filter { $0.event == "degraded" }.map(\.part) == ["console"])
    #expect(events.compactMap(\.total) == [100])
  }
}
