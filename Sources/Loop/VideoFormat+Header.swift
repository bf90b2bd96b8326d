import Frames

extension VideoFormat {
  /// Reads a YUV4MPEG2 header: `YUV4MPEG2 W640 H480 F30:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL`.
  ///
  /// Unknown parameters are passed over, as the format asks.
  /// - Parameter line: the first line without its newline.
  public init(header line: Span<UInt8>) throws(VideoError) {
    let words = HeaderWords(line)
    var start = 0
    guard let magic = words.next(&start), words.equals(magic, "YUV4MPEG2") else {
      throw .notVideo
    }
    while let word = words.next(&start) {
      switch line[word.lowerBound] {
      case UInt8(ascii: "W"): width = try words.size(word)
      case UInt8(ascii: "H"): height = try words.size(word)
      case UInt8(ascii: "F"): try readRate(words, word)
      case UInt8(ascii: "I"):
        if !words.equals(word, "Ip") && !words.equals(word, "I?") { throw .isInterlaced }
      case UInt8(ascii: "C"): pixelFormat = try words.pixelFormat(word)
      case UInt8(ascii: "X"):
        if words.equals(word, "XCOLORRANGE=FULL") { colour.range = .full }
      default: break
      }
    }
    let hasSize = width > 0 && height > 0
    if !hasSize || width * height > VideoFormat.pixelLimit { throw .sizeUnusable }
  }

  private mutating func readRate(
    _ words: borrowing HeaderWords, _ word: Range<Int>
  ) throws(VideoError) {
    var position = word.lowerBound + 1
    guard let numerator = words.number(&position, end: word.upperBound),
      words.takesColon(&position, end: word.upperBound),
      let denominator = words.number(&position, end: word.upperBound),
      position == word.upperBound, (numerator == 0) == (denominator == 0)
    else { throw .rateUnusable }
    rateNumerator = numerator
    rateDenominator = denominator
  }
}

/// The words of a header line, parted by spaces.
private struct HeaderWords: ~Copyable, ~Escapable {
  private let line: Span<UInt8>

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) {
    self.line = line
  }

  /// The next word from `start` on, which is moved behind it.
  func next(_ start: inout Int) -> Range<Int>? {
    while start < line.count && line[start] == UInt8(ascii: " ") { start += 1 }
    if start == line.count { return nil }
    let first = start
    while start < line.count && line[start] != UInt8(ascii: " ") { start += 1 }
    return first..<start
  }

  /// Whether a word is `text`.
  func equals(_ word: Range<Int>, _ text: StaticString) -> Bool {
    if word.upperBound - word.lowerBound != text.utf8CodeUnitCount { return false }
    for index in 0..<text.utf8CodeUnitCount
    where line[word.lowerBound + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// A number of at most 9 digits at `position`, which is moved behind it.
  func number(_ position: inout Int, end: Int) -> Int? {
    let first = position
    var number = 0
    while position < end && position - first < 9 {
      let digit = Int(line[position]) - 48
      if digit < 0 || digit > 9 { break }
      number = 10 * number + digit
      position += 1
    }
    return position > first ? number : nil
  }

  /// Whether there is a colon at `position`, which is moved behind it.
  func takesColon(_ position: inout Int, end: Int) -> Bool {
    if position >= end || line[position] != UInt8(ascii: ":") { return false }
    position += 1
    return true
  }

  /// The length a word such as `W640` gives.
  func size(_ word: Range<Int>) throws(VideoError) -> Int {
    var position = word.lowerBound + 1
    guard let size = number(&position, end: word.upperBound), position == word.upperBound,
      size >= 1 && size <= 16_384
    else { throw .sizeUnusable }
    return size
  }

  /// The format a word such as `C420jpeg` names; where colours are sited makes no difference here.
  func pixelFormat(_ word: Range<Int>) throws(VideoError) -> PixelFormat {
    if equals(word, "C420") || equals(word, "C420jpeg") || equals(word, "C420mpeg2")
      || equals(word, "C420paldv")
    {
      return .yu12
    }
    if equals(word, "C422") { return .yuv422p }
    if equals(word, "C444") { return .yuv444p }
    if equals(word, "Cmono") { return .grey }
    throw .samplingUnknown
  }
}
