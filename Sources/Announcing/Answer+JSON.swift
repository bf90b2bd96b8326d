import Counting

/// An answer as lines.
public typealias AnswerLines = Text<1024>

extension Text {
  /// Appends an answer as one line of JSON, newline included.
  public mutating func append(json answer: Answer) {
    append("{\"answer\":\"")
    switch answer {
    case .total(let total):
      append("total\"")
      append(fields: total)
    case .repeated(let total, let isSpoken):
      append("repeat\"")
      append(fields: total)
      append(",\"spoken\":")
      append(isSpoken ? "true" : "false")
    case .reset: append("reset\"")
    case .accepted: append("accepted\"")
    case .refused: append("refused\",\"why\":\"it lacks a price, or a model that can be taught\"")
    case .status(let status): append(fields: status)
    case .muted: append("mute\"")
    case .unmuted(let hasVoice):
      append("unmute\",\"voice\":")
      append(hasVoice ? "true" : "false")
    case .help:
      append("help\",\"commands\":[")
      append("\"total\",\"repeat\",\"reset\",\"status\",\"mute\",\"unmute\",")
      append("\"tray\",\"session\",\"target PRICE\",\"keep\",\"teach NAME\",\"calibrate\",")
      append("\"cancel\",\"help\"]")
    case .unknown: append("unknown\",\"why\":\"no such command; 'help' tells of them\"")
    case .tooLong: append("unknown\",\"why\":\"a line has at most 80 bytes\"")
    }
    append("}\n")
  }

  /// Appends a notice of lines that a slow reader has lost.
  public mutating func append(jsonLoss lines: Int) {
    append("{\"event\":\"lines-lost\",\"lines\":")
    append(lines)
    append("}\n")
  }

  private mutating func append(fields total: Total) {
    append(",\"total\":")
    append(Int(total.total))
    append(",\"coins\":")
    append(Int(total.coins))
    append(",\"unsure\":")
    append(Int(total.unsure))
  }

  private mutating func append(fields status: Status) {
    append("status\"")
    append(fields: status.total)
    append(",\"frames\":")
    append(status.frames)
    append(",\"ms\":")
    append(status.milliseconds)
    append(",\"hold\":")
    append(status.isHolding ? "true" : "false")
    append(",\"fault\":")
    append(status.hasFault ? "true" : "false")
    append(",\"voice\":\"")
    append(!status.hasVoice ? "none" : status.isMuted ? "muted" : "on")
    append("\"")
  }
}
