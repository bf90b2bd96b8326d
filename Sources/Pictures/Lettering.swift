/// Letters drawn as strokes of a round pen on a grid of our own: the digits, `R`, `p`, `?`, `+`.
///
/// A letter stands on a grid 4 units wide and 6 high; the descender of `p` reaches 2 units lower.
public enum Lettering {
  /// Units from a letter to the next.
  private static let advance = 6

  /// The width of `count` letters of a height, in the height's unit.
  public static func width(count: Int, height: Int) -> Int {
    max(0, count * advance - 2) * height / 6
  }

  /// The strokes of a letter: two digits a corner, across then down, in units; a bar between
  /// strokes. Empty for a letter that is not there, which is left blank.
  fileprivate static func strokes(of letter: UInt8) -> StaticString {
    switch letter {
    case UInt8(ascii: "0"): "103041453616050110"
    case UInt8(ascii: "1"): "022026|0646"
    case UInt8(ascii: "2"): "0110304142150646"
    case UInt8(ascii: "3"): "0110304142334445361605|1333"
    case UInt8(ascii: "4"): "36300444"
    case UInt8(ascii: "5"): "400002324345361605"
    case UInt8(ascii: "6"): "413010010516364544331304"
    case UInt8(ascii: "7"): "004016"
    case UInt8(ascii: "8"): "103041423313020110|1304051636454433"
    case UInt8(ascii: "9"): "051636454130100102133342"
    case UInt8(ascii: "R"): "06003041423303|2346"
    case UInt8(ascii: "p"): "0208|0312324345361605"
    case UInt8(ascii: "?"): "01103041422324|2626"
    case UInt8(ascii: "+"): "2125|0343"
    default: ""
    }
  }
}

extension Picture {
  /// Draws letters from left to right.
  ///
  /// - Parameters:
  ///   - text: ASCII; letters that `Lettering` has not are left blank.
  ///   - x: left end of the text, in sixteenths of a pixel like the others.
  ///   - y: top of the digits.
  ///   - height: of the digits, 16 to 16,384.
  ///   - pen: half the width of the strokes, at least 8.
  public mutating func drawText(
    _ text: Span<UInt8>, x: Int, y: Int, height: Int, pen: Int, colour: Colour
  ) {
    for index in 0..<text.count {
      let left = x + Lettering.width(count: index + 1, height: height) - 4 * height / 6
      let strokes = Lettering.strokes(of: text[index])
      var previous: (x: Int, y: Int)?
      var across: Int?
      for position in 0..<strokes.utf8CodeUnitCount {
        let sign = strokes.utf8Start[position]
        if sign == UInt8(ascii: "|") { previous = nil }
        guard sign >= UInt8(ascii: "0") && sign <= UInt8(ascii: "9") else { continue }
        let distance = Int(sign - UInt8(ascii: "0")) * height / 6
        guard let found = across else {
          across = distance
          continue
        }
        across = nil
        let corner = (x: left + found, y: y + distance)
        if let previous { drawLine(from: previous, to: corner, pen: pen, colour: colour) }
        previous = corner
      }
    }
  }
}
