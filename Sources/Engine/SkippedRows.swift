/// Rows of padding above and below the input that a convolution's window covers: all their elements
/// stand for zero, so that they need not be there, nor be multiplied.
struct SkippedRows {
  var above = 0
  var below = 0

  /// None.
  init() {}

  /// Those of an output row's window.
  init(_ window: Window, inputHeight: Int, row: Int) {
    guard SkippedRows.areTold(window, inputHeight: inputHeight) else { return }
    let first = row * window.strideY
    above = max(0, window.top - first)
    below = max(0, first + window.kernelHeight - window.top - inputHeight)
  }

  /// Which of the biases fits.
  func kind(_ window: Window) -> Int { below > 0 ? window.top + below : above }

  /// How many there are: none skipped, up to all above, up to all below.
  static func kinds(_ window: Window, inputHeight: Int) -> Int {
    areTold(window, inputHeight: inputHeight) ? 1 + window.top + window.bottom : 1
  }

  /// The kernel rows that are left where `kind` fits.
  static func rows(_ window: Window, kind: Int) -> Range<Int> {
    let below = max(0, kind - window.top)
    return (below > 0 ? 0 : kind)..<window.kernelHeight - below
  }

  /// Whether no window covers padding on both sides.
  private static func areTold(_ window: Window, inputHeight: Int) -> Bool {
    inputHeight >= window.kernelHeight
  }
}
