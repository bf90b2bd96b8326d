import Announcing
import CSystem
import Counting
import Ledger

/// `receh ledger`: tells what has been counted and kept.
struct LedgerCommand: ~Copyable {
  private let options: LedgerOptions
  private let language: Language
  private let path: Argument
  private let descriptor: Int32
  private var output = Output(descriptor: 1)
  private var entries = 0
  private var money = 0

  /// Runs the command.
  ///
  /// - Parameter arguments: the words after `receh`, `ledger` first.
  /// - Throws: the status to end with, after telling why.
  static func run(_ arguments: Arguments) throws(ExitStatus) {
    guard let options = try LedgerOptions.parse(arguments) else { return }
    let configuration = try Configuration.read(
      path: options.configuration, command: LedgerOptions.command)
    var command = try LedgerCommand(options, configuration)
    try command.run()
  }

  private init(_ options: LedgerOptions, _ configuration: Configuration) throws(ExitStatus) {
    self.options = options
    language = options.language ?? configuration.language
    path = options.file ?? configuration.ledgerPath()
    descriptor = csystem_file_open_reading(path)
    if descriptor < 0 { throw LedgerCommand.complain(path, errno: -descriptor) }
  }

  deinit {
    if descriptor >= 0 { csystem_file_close(descriptor) }
  }

  private mutating func run() throws(ExitStatus) {
    // Entries without a date belong to the dated ones round them: all after the last that is
    // too old are shown.
    var last = 0
    if let since = options.since {
      _ = try scan { _, entry in
        if entry.isDated && entry.milliseconds < since { last = entry.sequence }
      }
    }
    if options.form == .csv { output.write(LedgerCommand.heading) }
    let damaged = try scan { command, entry in
      if entry.sequence > last { command.write(entry) }
    }
    if options.form == .table { writeSum() }
    try output.finish(LedgerOptions.command)
    if damaged > 0 {
      receh.complain(LedgerOptions.command) { line in
        line.write(name: path)
        line.write(": ")
        line.write(damaged)
        line.write(" damaged lines were left out; look at them in a text editor")
      }
      throw .failed
    }
  }

  /// Hands every entry over; returns how many lines are none.
  ///
  /// A last line without its end is one that is just being written, and is left out.
  private mutating func scan(
    _ body: (inout LedgerCommand, LedgerEntry) -> Void
  ) throws(ExitStatus) -> Int {
    var scanner = LedgerScanner()
    var block = InlineArray<4096, UInt8>(repeating: 0)
    var offset: Int64 = 0
    while true {
      var bytes = block.mutableSpan
      let count = bytes.withUnsafeMutableBytes { buffer in
        csystem_file_read(descriptor, buffer.baseAddress, buffer.count, offset)
      }
      if count == -Int64(EINTR) { continue }
      if count < 0 { throw LedgerCommand.complain(path, errno: Int32(-count)) }
      if count == 0 { return scanner.damagedLines }
      for index in 0..<Int(count) {
        if case .entry(let entry) = scanner.take(block[index]) { body(&self, entry) }
      }
      offset += count
    }
  }

  private mutating func write(_ entry: LedgerEntry) {
    entries += 1
    if entry.kind.isMoney { money += entry.total }
    switch options.form {
    case .csv:
      var line = Text<640>()
      LedgerRecord.append(entry, to: &line)
      line.append("\n")
      output.write(line.span)
    case .json: writeJSON(entry)
    case .table: writeRow(entry)
    }
  }

  private mutating func writeJSON(_ entry: LedgerEntry) {
    var time = Text<32>()
    time.append(time: entry)
    output.write("{\"sequence\":")
    output.write(entry.sequence)
    output.write(",\"kind\":\"")
    output.write(entry.kind.name)
    // Without a date the time is a number: milliseconds since the machine was started.
    output.write(entry.isDated ? "\",\"time\":\"" : "\",\"uptime_ms\":")
    output.write(time.span.extracting((entry.isDated ? 0 : 1)..<time.count))
    if entry.isDated { output.write("\"") }
    write(",\"session\":", entry.session)
    write(",\"total\":", entry.total)
    write(",\"session_total\":", entry.sessionTotal)
    write(",\"price\":", entry.price)
    output.write(",\"counts\":")
    write(entry.counts.current)
    output.write(",\"withdrawn\":")
    write(entry.counts.withdrawn)
    write(",\"unsure\":", Int(entry.counts.unsure))
    output.write(",\"others\":\"")
    output.write(entry.others.span)
    output.write("\"}\n")
  }

  private mutating func write(_ name: StaticString, _ number: Int) {
    output.write(name)
    output.write(number)
  }

  private mutating func write(_ counts: InlineArray<5, Int32>) {
    let names: InlineArray<5, StaticString> = [
      "{\"50\":", ",\"100\":", ",\"200\":", ",\"500\":", ",\"1000\":",
    ]
    for index in 0..<5 { write(names[index], Int(counts[index])) }
    output.write("}")
  }

  /// One line for people, in local time.
  private mutating func writeRow(_ entry: LedgerEntry) {
    var number = Text<16>()
    number.append(entry.sequence)
    output.write(number, width: 6)
    output.write("  ")
    var time = Text<24>()
    if entry.isDated {
      let offset = Int64(csystem_local_offset(entry.milliseconds / 1000)) * 60_000
      time.append(
        CalendarTime(milliseconds: entry.milliseconds + offset), separator: " ",
        hasMilliseconds: false)
    } else {
      time.append("+")
      time.append(Int(entry.milliseconds / 1000))
      time.append(" s")
    }
    output.write(time, width: 19)
    output.write("  ")
    var kind = Text<16>()
    kind.append(entry.kind.title(in: language))
    output.write(kind, width: 9)
    var total = Text<24>()
    total.append(rupiah: entry.total, in: language)
    output.write(total, width: 14)
    var coins = Text<32>()
    coins.append(Int(entry.counts.coins))
    coins.append(language.choose(" koin", entry.counts.coins == 1 ? " coin" : " coins"))
    output.write(coins, width: 10)
    if entry.price > 0 {
      var price = Text<40>()
      price.append(language.choose("  harga ", "  price "))
      price.append(rupiah: entry.price, in: language)
      output.write(price.span)
    }
    if entry.others.count > 0 {
      output.write("  + ")
      output.write(entry.others.span)
    }
    output.write("\n")
  }

  private mutating func writeSum() {
    var sum = Text<64>()
    sum.append(language.choose("Jumlah ", "Sum "))
    sum.append(rupiah: money, in: language)
    sum.append(language.choose(", catatan: ", ", entries: "))
    sum.append(entries)
    sum.append("\n")
    output.write(sum.span)
  }

  private static func complain(_ path: Argument, errno code: Int32) -> ExitStatus {
    receh.complain(LedgerOptions.command) { line in
      line.write(name: path)
      line.write(": cannot be read (")
      line.write(error: code)
      line.write("); check the name, or count in session mode first")
    }
    return .failed
  }

  private static let heading: StaticString = """
    sequence,kind,time,session,total,session_total,price,n50,n100,n200,n500,n1000,\
    w50,w100,w200,w500,w1000,unsure,others

    """
}
