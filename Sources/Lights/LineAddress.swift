import Announcing

/// Where a GPIO line is found: by its own name, or by the label of its chip and its number there.
///
/// Chips have numbers too, but those depend on the order in which drivers load and have moved from
/// one kernel to the next.
public struct LineAddress: BitwiseCopyable, Sendable, Equatable {
  /// Most bytes of a label or a name, as in the kernel's interface, its NUL aside.
  public static let nameLimit = 31
  /// Most lines a chip can have that can be addressed by number.
  public static let offsetLimit = 9999

  /// The chip's label, such as `pinctrl-bcm2711`; empty when the line is found by its own name.
  public let chip: Text<36>
  /// The line's name, such as `GPIO17`; empty when it is found by number.
  public let name: Text<36>
  /// The line's number on its chip; 0 when it is found by name.
  public let offset: Int

  /// Reads an address: `NAME`, or `LABEL:NUMBER`.
  /// - Parameter text: any bytes.
  /// - Returns: `nil` when they are no address: empty, with blanks in them, too long, or with a
  ///   number that is none.
  public init?(_ text: Span<UInt8>) {
    var chip = Text<36>()
    var name = Text<36>()
    var colon: Int?
    for index in 0..<text.count {
      if text[index] <= 0x20 || text[index] == 0x7f { return nil }
      if text[index] == UInt8(ascii: ":") { colon = index }
    }
    // Labels have colons themselves, such as `gpio-sim.0:node0`; the last one is meant.
    guard let colon else {
      for index in 0..<text.count { name.append(byte: text[index]) }
      if name.count == 0 || name.isCut || name.count > LineAddress.nameLimit { return nil }
      self.init(chip: chip, name: name, offset: 0)
      return
    }
    for index in 0..<colon { chip.append(byte: text[index]) }
    if chip.count == 0 || chip.isCut || chip.count > LineAddress.nameLimit { return nil }
    guard let offset = LineAddress.number(text.extracting((colon + 1)...)) else { return nil }
    self.init(chip: chip, name: name, offset: offset)
  }

  private init(chip: Text<36>, name: Text<36>, offset: Int) {
    self.chip = chip
    self.name = name
    self.offset = offset
  }

  private static func number(_ text: Span<UInt8>) -> Int? {
    if text.count == 0 { return nil }
    var number = 0
    for index in 0..<text.count {
      let digit = Int(text[index]) - 48
      if digit < 0 || digit > 9 { return nil }
      number = 10 * number + digit
      if number > offsetLimit { return nil }
    }
    return number
  }
}
