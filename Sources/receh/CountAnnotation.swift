import Announcing
import Detection
import Frames
import Pictures

extension Picture {
  /// Draws the coins' outlines, their values and the total into the picture.
  ///
  /// Coins in the total are green, coins that are not named amber with a question mark, coins left
  /// out because they are withdrawn blue.
  ///
  /// - Parameters:
  ///   - coins: the coins in pixels of this picture.
  ///   - total: the sum drawn at the top left.
  ///   - unsure: how many coins are not named, drawn beside it.
  ///   - countsWithdrawn: whether withdrawn coins are in the total.
  mutating func annotate(
    _ coins: borrowing DetectionList, total: Int, unsure: Int, countsWithdrawn: Bool
  ) {
    // A line of 1/200 of the shorter side; all lengths are in sixteenths of a pixel.
    let pen = max(16, 16 * min(width, height) / 400)
    for index in 0..<coins.count {
      outline(coins[index], pen: pen, countsWithdrawn: countsWithdrawn)
    }
    for index in 0..<coins.count {
      let coin = coins[index]
      var text = Text<8>()
      if coin.value == 0 { text.append("?") } else { text.append(Int(coin.value)) }
      // The longest text takes 22/36 of the coin's width at this height.
      let letterHeight = sixteenths(coin.diameter) / 6
      write(
        text, x: sixteenths(coin.x) - Lettering.width(count: text.count, height: letterHeight) / 2,
        y: sixteenths(coin.y) - letterHeight / 2, height: letterHeight,
        colour: colour(of: coin, countsWithdrawn: countsWithdrawn))
    }
    writeTotal(total, unsure: unsure)
  }

  private mutating func outline(_ coin: Detection, pen: Int, countsWithdrawn: Bool) {
    let (x, y) = (sixteenths(coin.x), sixteenths(coin.y))
    let radius = sixteenths(coin.diameter) / 2
    drawCircle(x: x, y: y, radius: radius, pen: 2 * pen, colour: .black)
    drawCircle(
      x: x, y: y, radius: radius, pen: pen,
      colour: colour(of: coin, countsWithdrawn: countsWithdrawn))
  }

  private mutating func writeTotal(_ total: Int, unsure: Int) {
    var text = Text<32>()
    text.append("Rp")
    text.append(total)
    if unsure > 0 {
      text.append(" + ")
      text.append(unsure)
      text.append("?")
    }
    let margin = 16 * min(width, height) / 40
    let fitting = 6 * (16 * width - 2 * margin) / Lettering.width(count: text.count, height: 6)
    let letterHeight = min(16 * min(width, height) / 16, fitting)
    write(text, x: margin, y: margin, height: letterHeight, colour: .white)
  }

  /// Writes with a dark edge; letters too small to read are left out.
  private mutating func write<let Capacity: Int>(
    _ text: Text<Capacity>, x: Int, y: Int, height: Int, colour: Colour
  ) {
    if height < 16 * 6 { return }
    let pen = max(9, height / 12)
    let held = min(height, 16 * 512)
    drawText(text.span, x: x, y: y, height: held, pen: 2 * pen, colour: .black)
    drawText(text.span, x: x, y: y, height: held, pen: pen, colour: colour)
  }
}

private func colour(of coin: Detection, countsWithdrawn: Bool) -> Colour {
  if coin.value == 0 { return Colour(red: 255, green: 176, blue: 0) }
  if coin.isWithdrawn && !countsWithdrawn { return Colour(red: 86, green: 180, blue: 233) }
  return Colour(red: 60, green: 230, blue: 90)
}

/// A length in sixteenths of a pixel, held within what can be drawn.
private func sixteenths(_ length: Float) -> Int {
  Int(min(max(length, -500_000), 500_000) * 16)
}

extension Colour {
  fileprivate static let black = Colour(red: 0, green: 0, blue: 0)
  fileprivate static let white = Colour(red: 255, green: 255, blue: 255)
}
