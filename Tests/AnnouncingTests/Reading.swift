import Announcing
import Counting

/// What `write` appends to an empty text, as a string.
func text(_ write: (inout Text<512>) -> Void) -> String {
  var text = Text<512>()
  write(&text)
  return string(text)
}

/// A text as a string.
func string<let Capacity: Int>(_ text: Text<Capacity>) -> String {
  String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
}

/// An ordinary coin of a value.
func coin(_ value: Int32, isWithdrawn: Bool = false) -> Coin {
  Coin(
    id: 7, value: value, isWithdrawn: isWithdrawn, confidence: 0.974, x: 312.4, y: 207.5,
    diameter: 74.49)
}
