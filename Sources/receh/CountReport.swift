import Announcing
import Counting
import Detection
import Frames

extension Output {
  /// Writes one picture's count as a line of JSON.
  ///
  /// Keys are in a fixed order and places are whole pixels, so that the same picture is the same
  /// line on every machine.
  mutating func write(json count: borrowing PictureCount, file: Argument) {
    write("{\"file\":")
    write(json: file)
    write(",\"total\":")
    write(Int(count.total.total))
    write(",\"unsure\":")
    write(Int(count.total.unsure))
    write(",\"coins\":[")
    for index in 0..<count.coins.count {
      let coin = count.coins[index]
      write(index == 0 ? "{\"value\":" : ",{\"value\":")
      write(Int(coin.value))
      if coin.name.count > 0 {
        write(",\"name\":\"")
        write(coin.name.span)
        write("\"")
      }
      write(",\"confidence\":")
      var confidence = Text<4>()
      confidence.append(probability: coin.confidence)
      write(confidence.span)
      write(",\"x\":")
      write(wholePixels(coin.x))
      write(",\"y\":")
      write(wholePixels(coin.y))
      write(",\"diameter\":")
      write(wholePixels(coin.diameter))
      if coin.isWithdrawn { write(",\"withdrawn\":true") }
      write("}")
    }
    write("]}\n")
  }

  /// Writes one picture's count as a table for people.
  mutating func write(
    table count: borrowing PictureCount, file: Argument, in language: Language
  ) {
    write(name: file)
    write("\n")
    if count.coins.count > 0 { writeHead(in: language) }
    for index in 0..<count.coins.count {
      let coin = count.coins[index]
      var value = Text<24>()
      if coin.value == 0 && coin.name.count > 0 {
        value.append(coin.name)
      } else if coin.value == 0 {
        value.append("?")
      } else {
        value.append(rupiah: Int(coin.value), in: language)
      }
      write(value, width: 9)
      var share = Text<8>()
      share.append(Int(min(max(coin.confidence, 0), 1) * 100 + 0.5))
      share.append(" %")
      write(share, width: 11)
      write(column: wholePixels(coin.x), width: 7)
      write(column: wholePixels(coin.y), width: 7)
      write(column: wholePixels(coin.diameter), width: 10)
      if coin.isWithdrawn {
        write("  ")
        write(language.choose("sudah ditarik dari peredaran", "withdrawn"))
      }
      write("\n")
    }
    var line = Text<512>()
    line.append(
      console: Event(.total(count.total), frame: 0, milliseconds: 0), in: language)
    write(line.span)
  }

  private mutating func writeHead(in language: Language) {
    write(language.choose("    nilai  keyakinan", "    value  certainty"))
    write(language.choose("      x      y  diameter\n", "      x      y  diameter\n"))
  }

  private mutating func write(column number: Int, width: Int) {
    var text = Text<24>()
    text.append(number)
    write(text, width: width)
  }
}
