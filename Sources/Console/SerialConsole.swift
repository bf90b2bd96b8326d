import Announcing
import CSystem
import Commands
import Counting
import Devices

/// What the console has to tell.
public enum ConsoleNews: BitwiseCopyable, Sendable, Equatable {
  /// It cannot be used any more, or not at all.
  case fault(Degradation)
  /// It can be used again.
  case recovered(Degradation)
}

/// A serial line that takes commands and gets lines.
///
/// No call ever waits: bytes that the tty does not take are kept, lines that find no room are
/// dropped and counted, and at each turn a limited number of bytes is read. A tty that is missing
/// or gone is looked for again every second.
public struct SerialConsole: ~Copyable {
  /// Milliseconds between attempts to open the tty.
  private static let retryInterval: Int64 = 1000
  /// Bytes read at most in one turn of the loop: what arrives in one at 115200 baud and 25 turns a
  /// second. What is faster than that is no person, and must not hold the loop up.
  private static let readLimit = 512
  /// Answers in a row to lines that are no commands. At a wrong rate, or with its own output coming
  /// back, a line would be answered for ever.
  private static let patience = 3
  /// Percent by which the rate may be off before bytes are misread.
  private static let rateTolerance = 3

  /// Where the console is and how it speaks.
  public let settings: ConsoleSettings
  /// The language of lines for people.
  public var language: Language
  private var port: DeviceFile?
  private var outgoing = OutgoingBytes()
  private var reader = LineReader()
  private var incoming = InlineArray<64, UInt8>(repeating: 0)
  private var incomingStart = 0
  private var incomingCount = 0
  private var unknownLines = 0
  /// What is wrong with a line that came after commands, which are to be answered first.
  private var laterMistake: ConsoleMistake?
  private var lastAttempt: Int64?
  private var fault: Degradation?
  private var toldFault: Degradation?
  /// Lines dropped since the last notice of it.
  private var droppedLines = 0

  /// Makes a console that will be opened at the first `poll`.
  /// - Parameter language: of the lines for people.
  public init(_ settings: ConsoleSettings, language: Language) {
    self.settings = settings
    self.language = language
  }

  /// Whether the tty is open.
  public var isOpen: Bool { port != nil }

  /// Opens the tty at once rather than at the next `poll`, so that the next line is not lost.
  public mutating func open() {
    if settings.use != .off { openIfDue() }
  }

  /// Opens the tty if it is due, passes on what waits, and reads what has come.
  /// - Parameter commands: gets the commands read; while it is full, no more is read.
  /// - Returns: what is to be answered to lines that are no commands, if anything.
  public mutating func poll(into commands: inout CommandQueue) -> ConsoleMistake? {
    if settings.use == .off { return nil }
    openIfDue()
    passOn()
    tellLoss()
    return read(into: &commands)
  }

  /// Sends a line, newline included, as soon as the tty takes it.
  ///
  /// A line that is sent while there is no tty is lost, as on any serial line.
  public mutating func send(_ line: Span<UInt8>) {
    if port == nil { return }
    tellLoss()
    if droppedLines > 0 || !outgoing.append(line, returns: !settings.isJSON) { droppedLines += 1 }
    passOn()
  }

  /// What the console has to tell since the last call, if anything.
  public mutating func takeNews() -> ConsoleNews? {
    if fault == toldFault { return nil }
    defer { toldFault = fault }
    if let fault { return .fault(fault) }
    return toldFault.map { .recovered($0) }
  }

  /// Gives what waits a short time to be sent, and closes the tty.
  /// - Parameter milliseconds: the time it gets.
  public mutating func finish(milliseconds: Int64) {
    let end = csystem_device_milliseconds() + milliseconds
    while let descriptor = port?.descriptor {
      passOn()
      // What the tty has sent must not be thrown away where the reader has not taken it yet.
      if outgoing.count == 0 && csystem_serial_unsent(descriptor) <= 0 {
        port = nil
        break
      }
      if csystem_device_milliseconds() >= end { break }
      csystem_sleep(5)
    }
    close()
  }

  private mutating func openIfDue() {
    if port != nil { return }
    let now = csystem_device_milliseconds()
    if let lastAttempt, now - lastAttempt < SerialConsole.retryInterval { return }
    lastAttempt = now
    do throws(Degradation) {
      port = try SerialConsole.open(settings)
      fault = nil
      reader.removeAll()
      incomingCount = 0
      unknownLines = 0
    } catch {
      // What is only used when it is there need not be there, and what is lost is missing too.
      if error == .consoleMissing && (settings.use == .auto || fault == .consoleLost) { return }
      fault = error
    }
  }

  private static func open(_ settings: ConsoleSettings) throws(Degradation) -> DeviceFile {
    let opened: DeviceFile
    do throws(SystemError) {
      opened = try settings.device.withCString { path throws(SystemError) in
        // Without O_NONBLOCK opening would wait for a modem's carrier.
        try DeviceFile(path: path, flags: O_RDWR | O_NONBLOCK)
      }
    } catch {
      throw error.isForbidden
        ? .consoleForbidden : error.isMissing ? .consoleMissing : .consoleUnusable
    }
    var actual: UInt32 = 0
    if csystem_serial_configure(opened.descriptor, UInt32(settings.baud), &actual) != 0 {
      throw csystem_errno() == ENOTTY ? .consoleNoTerminal : .consoleRateRefused
    }
    let difference = abs(Int(actual) - settings.baud)
    if difference * 100 > settings.baud * rateTolerance { throw .consoleRateRefused }
    return opened
  }

  /// Tells of lines that were dropped, once there is room for that.
  private mutating func tellLoss() {
    if droppedLines == 0 { return }
    var notice = Text<96>()
    if settings.isJSON {
      notice.append(jsonLoss: droppedLines)
    } else {
      notice.append(consoleLoss: droppedLines, in: language)
    }
    if !outgoing.append(notice.span, returns: !settings.isJSON) { return }
    droppedLines = 0
    passOn()
  }

  /// Writes as much of what waits as the tty takes.
  private mutating func passOn() {
    while port != nil && outgoing.count > 0 {
      do throws(SystemError) {
        let written = try port?.write(outgoing.front) ?? 0
        if written == 0 { return }
        outgoing.remove(first: written)
      } catch {
        if !error.mustWait { lose() }
        return
      }
    }
  }

  /// Reads what has come, up to the first line that is to be answered as a mistake.
  private mutating func read(into commands: inout CommandQueue) -> ConsoleMistake? {
    if let mistake = laterMistake {
      laterMistake = nil
      return mistake
    }
    var left = SerialConsole.readLimit
    while true {
      while incomingCount > 0 {
        if commands.isFull { return nil }
        let byte = incoming[incomingStart]
        incomingStart += 1
        incomingCount -= 1
        guard let mistake = take(byte, into: &commands) else { continue }
        if commands.count == 0 { return mistake }
        laterMistake = mistake
        return nil
      }
      if left <= 0 || !receive() { return nil }
      left -= incomingCount
    }
  }

  /// Takes one byte; returns what is to be answered if it ends a line that is no command.
  private mutating func take(
    _ byte: UInt8, into commands: inout CommandQueue
  ) -> ConsoleMistake? {
    switch reader.take(byte) {
    case .nothing: return nil
    case .command(let command):
      unknownLines = 0
      commands.append(Request(command, from: .console))
      return nil
    case .unknown:
      unknownLines += 1
      return unknownLines > SerialConsole.patience ? nil : .unknown
    case .tooLong:
      unknownLines += 1
      return unknownLines > SerialConsole.patience ? nil : .tooLong
    }
  }

  /// Reads the next bytes; returns whether there were any.
  private mutating func receive() -> Bool {
    if port == nil { return false }
    var received = 0
    var isLost = false
    var span = incoming.mutableSpan
    span.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      do throws(SystemError) {
        received = try port?.read(base, count: buffer.count) ?? 0
        // A tty that is open has no end but a hang-up.
        isLost = received == 0
      } catch {
        isLost = !error.mustWait
      }
    }
    if isLost { lose() }
    incomingStart = 0
    incomingCount = received
    return received > 0
  }

  private mutating func lose() {
    close()
    lastAttempt = csystem_device_milliseconds()
    fault = .consoleLost
  }

  private mutating func close() {
    if let descriptor = port?.descriptor { _ = csystem_serial_discard(descriptor) }
    port = nil
    outgoing.removeAll()
    reader.removeAll()
    incomingCount = 0
    laterMistake = nil
    droppedLines = 0
  }
}

/// What is wrong with a line that was typed.
public enum ConsoleMistake: BitwiseCopyable, Sendable, Equatable {
  /// It is no command.
  case unknown
  /// It is too long.
  case tooLong
}
