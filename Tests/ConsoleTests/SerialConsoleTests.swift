import Announcing
import CSystem
import Commands
import Counting
import Foundation
import TestSupport
import Testing

@testable import Console

@Suite struct SerialConsoleTests {
  let terminal = FakeTerminal()

  private func console(
    use: ConsoleSettings.Use = .on, baud: Int = 115_200, isJSON: Bool = false
  ) -> SerialConsole {
    var settings = ConsoleSettings()
    settings.use = use
    settings.baud = baud
    settings.isJSON = isJSON
    return SerialConsole(settings, language: .english)
  }

  /// Polls once; returns the commands that came.
  private func poll(_ console: inout SerialConsole) -> [Command] {
    var queue = CommandQueue()
    _ = console.poll(into: &queue)
    return (0..<queue.count).map { queue[$0].command }
  }

  private func send(_ text: String, _ console: inout SerialConsole) {
    console.send(Array(text.utf8).span)
  }

  @Test(arguments: [50, 9600, 31_250, 115_200, 250_000, 4_000_000])
  func theTtyIsOpenedWithoutWaitingAndMadeRawAtAnyRate(_ baud: Int) {
    terminal.kernel.run {
      var console = console(baud: baud)
      #expect(poll(&console) == [])
    }
    let get = UInt(csystem_serial_get_request)
    let set = UInt(csystem_serial_set_request)
    #expect(
      Array(terminal.kernel.calls.prefix(4)) == [
        .open("/dev/serial0", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY),
        .control(5, get), .control(5, set), .control(5, get),
      ])
    // Ignore breaks and bad bytes; 8 bits, receiver on, no modem lines, rate as a number.
    let flags: [UInt32] = [0o1 | 0o4, 0, 0o60 | 0o200 | 0o4000 | 0o10000, 0]
    #expect(terminal.settings == flags + [UInt32(baud), UInt32(baud)])
  }

  @Test func typedLinesBecomeCommandsInOrder() {
    terminal.kernel.run {
      var console = console()
      terminal.type("total\r\nSTATUS\n\n  mute \r")
      #expect(poll(&console) == [.total, .status, .mute])
    }
  }

  @Test func aLineInPiecesIsReadWhenItIsWhole() {
    terminal.kernel.run {
      var console = console()
      terminal.type("to")
      #expect(poll(&console) == [])
      terminal.type("tsx\u{8}\u{7f}al")
      #expect(poll(&console) == [])
      terminal.type("\n")
      #expect(poll(&console) == [.total])
    }
  }

  @Test func aFullQueueLeavesTheRestForTheNextTurn() {
    terminal.kernel.run {
      var console = console()
      terminal.type(String(repeating: "total\n", count: 20) + "status\n")
      #expect(poll(&console) == [Command](repeating: .total, count: 16))
      #expect(poll(&console) == [Command](repeating: .total, count: 4) + [.status])
    }
  }

  @Test func aFloodIsReadALimitedPieceATurn() {
    terminal.kernel.run {
      var console = console()
      terminal.typed = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
      _ = poll(&console)
      let read = 100_000 - terminal.typed.count
      #expect(read > 0 && read <= 1024)
    }
  }

  @Test func aMistakeAfterCommandsIsAnsweredAfterThem() {
    terminal.kernel.run {
      var console = console()
      terminal.type("total\nnonsense\nstatus\n")
      var queue = CommandQueue()
      #expect(console.poll(into: &queue) == nil)
      let count = queue.count
      #expect(count == 1)
      queue.removeAll()
      #expect(console.poll(into: &queue) == .unknown)
      #expect(poll(&console) == [.status])
    }
  }

  @Test func mistakesAreAnsweredAFewTimesInARowAndAgainAfterACommand() {
    terminal.kernel.run {
      var console = console()
      var queue = CommandQueue()
      var answers: [ConsoleMistake?] = []
      for _ in 0..<5 {
        terminal.type("nonsense\n")
        answers.append(console.poll(into: &queue))
      }
      #expect(answers == [.unknown, .unknown, .unknown, nil, nil])
      terminal.type("total\n")
      _ = console.poll(into: &queue)
      queue.removeAll()
      terminal.type(String(repeating: "y", count: 200) + "\n")
      #expect(console.poll(into: &queue) == .tooLong)
    }
  }

  @Test func linesForPeopleEndAsTerminalsWantAndLinesOfJSONAsTheyAre() {
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      send("one\ntwo\n", &console)
    }
    #expect(terminal.text == "one\r\ntwo\r\n")
    terminal.forget()
    terminal.kernel.run {
      var console = console(isJSON: true)
      _ = poll(&console)
      send("{}\n", &console)
    }
    #expect(terminal.text == "{}\n")
  }

  @Test func aSlowReaderGetsWholeLinesAndIsToldHowManyItLost() throws {
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      terminal.room = 0
      for number in 0..<1000 { send("line \(number)\n", &console) }
      #expect(terminal.written.isEmpty)
      terminal.room = .max
      _ = poll(&console)
      send("last\n", &console)
    }
    let lines = terminal.text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
    let kept = lines.prefix { $0.hasPrefix("line") }
    #expect(Array(kept) == (0..<kept.count).map { "line \($0)" })
    #expect(kept.count > 300 && kept.count < 1000)
    #expect(
      Array(lines.dropFirst(kept.count)) == [
        "(\(1000 - kept.count) lines lost: slow reader)", "last",
      ])
  }

  @Test func aTtyThatTakesAByteATimeGetsEverything() {
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      terminal.room = 0
      let line = String(repeating: "0123456789", count: 30) + "\n"
      send(line, &console)
      for _ in 0..<400 {
        terminal.room = 1
        _ = poll(&console)
      }
      #expect(terminal.text == String(line.dropLast()) + "\r\n")
    }
  }

  @Test func aHangUpIsToldOnceAndTheTtyIsTakenUpAgain() {
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      #expect(console.takeNews() == nil)
      terminal.isHungUp = true
      _ = poll(&console)
      #expect(console.takeNews() == .fault(.consoleLost))
      // Thrown away before it is closed, because closing would wait for it to be sent.
      let discard = UInt(csystem_serial_discard_request)
      #expect(Array(terminal.kernel.calls.suffix(2)) == [.control(5, discard), .close(5)])
      let calls = terminal.kernel.calls.count
      _ = poll(&console)
      #expect(terminal.kernel.calls.count == calls)
      terminal.kernel.open = { _ in -ENOENT }
      terminal.kernel.milliseconds += 1000
      _ = poll(&console)
      #expect(console.takeNews() == nil)
      terminal.kernel.open = { _ in 5 }
      terminal.isHungUp = false
      terminal.kernel.milliseconds += 1000
      terminal.type("total\n")
      #expect(poll(&console) == [.total])
      #expect(console.takeNews() == .recovered(.consoleLost))
      #expect(console.takeNews() == nil)
    }
  }

  @Test func halfALineBeforeAHangUpIsForgotten() {
    terminal.kernel.run {
      var console = console()
      terminal.type("res")
      _ = poll(&console)
      terminal.isHungUp = true
      _ = poll(&console)
      terminal.isHungUp = false
      terminal.kernel.milliseconds += 1000
      terminal.type("et\n")
      #expect(poll(&console) == [])
    }
  }

  @Test(arguments: [
    (ENOENT, Degradation.consoleMissing), (ENXIO, .consoleMissing), (EACCES, .consoleForbidden),
    (EIO, .consoleUnusable), (EBUSY, .consoleUnusable),
  ])
  func aTtyThatCannotBeOpenedIsToldAndTriedEverySecond(_ code: Int32, _ fault: Degradation) {
    terminal.kernel.run {
      var console = console()
      terminal.kernel.open = { _ in -code }
      for _ in 0..<10 {
        _ = poll(&console)
        terminal.kernel.milliseconds += 250
      }
      #expect(terminal.kernel.calls.count == 3)
      #expect(console.takeNews() == .fault(fault))
      #expect(console.takeNews() == nil)
      send("lost\n", &console)
      terminal.kernel.open = { _ in 5 }
      terminal.kernel.milliseconds += 1000
      _ = poll(&console)
      #expect(console.takeNews() == .recovered(fault))
      send("seen\n", &console)
    }
    #expect(terminal.text == "seen\r\n")
  }

  @Test func aTtyThatIsOnlyUsedWhenItIsThereMayBeMissing() {
    terminal.kernel.run {
      var console = console(use: .auto)
      terminal.kernel.open = { _ in -ENOENT }
      _ = poll(&console)
      #expect(console.takeNews() == nil)
      terminal.kernel.open = { _ in 5 }
      terminal.kernel.milliseconds += 1000
      terminal.type("total\n")
      #expect(poll(&console) == [.total])
      #expect(console.takeNews() == nil)
      // Once it was there, its loss is news.
      terminal.isHungUp = true
      _ = poll(&console)
      #expect(console.takeNews() == .fault(.consoleLost))
    }
  }

  @Test(arguments: [(UInt32(115_200), true), (112_000, true), (111_000, false), (9600, false)])
  func aRateThatIsOffByMoreThanBytesBearIsRefused(_ rate: UInt32, _ isTaken: Bool) {
    terminal.rate = rate
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      #expect(console.takeNews() == (isTaken ? nil : .fault(.consoleRateRefused)))
      let isOpen = console.isOpen
      #expect(isOpen == isTaken)
    }
  }

  @Test func aFileThatIsNoTtyIsRefusedAndClosed() {
    terminal.kernel.control = { _, _, _ in -ENOTTY }
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      #expect(console.takeNews() == .fault(.consoleNoTerminal))
    }
    #expect(terminal.kernel.calls.last == .close(5))
  }

  @Test func anyBytesDoNoHarmAndACommandAfterThemIsRead() {
    var dice = Dice(state: 9)
    terminal.kernel.run {
      var console = console()
      for _ in 0..<200 {
        let count = Int.random(in: 0...300, using: &dice)
        terminal.typed = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
        while !terminal.typed.isEmpty { _ = poll(&console) }
        terminal.type("\nstatus\n")
        // Mistakes that are answered end a turn early.
        #expect((0..<10).flatMap { _ in poll(&console) }.last == .status)
      }
    }
  }

  @Test func theLastLinesAreGivenTimeAndTheRestIsThrownAway() {
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      send("end\n", &console)
      console.finish(milliseconds: 0)
      #expect(terminal.kernel.calls.last == .close(5))
      #expect(
        !terminal.kernel.calls.contains(.control(5, UInt(csystem_serial_discard_request))))
    }
    #expect(terminal.text == "end\r\n")
    terminal.kernel.run {
      var console = console()
      _ = poll(&console)
      terminal.room = 0
      send("never\n", &console)
      console.finish(milliseconds: 0)
      #expect(
        Array(terminal.kernel.calls.suffix(2)) == [
          .control(5, UInt(csystem_serial_discard_request)), .close(5),
        ])
    }
  }
}
