/// A strip of lights drawn in colours for a terminal.
public typealias StripLine = Text<2885>

extension Text {
  /// Appends the strip as one line of coloured blocks, newline included, for a terminal that
  /// knows 24-bit colours. The longest strip takes 144 × 20 + 5 bytes.
  public mutating func append(_ strip: borrowing StripImage) {
    for index in 0..<strip.span.count {
      let color = strip.span[index]
      append("\u{1B}[48;2;")
      append(Int(color.red))
      append(";")
      append(Int(color.green))
      append(";")
      append(Int(color.blue))
      append("m ")
    }
    append("\u{1B}[0m\n")
  }
}
