import CSystem
import Detection
import Engine

/// The file of taught coins: a header, the kinds with their views, and a checksum of all.
///
///     bytes 0...7    "RECEHTC1"
///     8...11         checksum of the model they were taught with
///     12...15        how many kinds there are
///     per kind       name (24) and its length (4), value (4), views (4), and 64 bytes a view, 12 of
///                    them whether used or not
///     last 4         CRC-32 of all before
///
/// Numbers are little-endian. It is written beside its place, synced and renamed, so that a power
/// cut leaves the file before or the file after.
public enum TaughtFile {
  private static let kindBytes = 24 + 12 + TaughtKind.viewCapacity * Embedding.capacity
  /// Bytes of the largest file.
  public static let capacity = 16 + TaughtCoins.capacity * kindBytes + 4

  /// Bytes of a file in memory.
  typealias Bytes = InlineArray<6452, UInt8>

  /// Reads a file; one that does not exist has no coins.
  /// - Parameters:
  ///   - path: NUL-terminated.
  ///   - model: checksum of the model in use.
  public static func read(
    _ path: UnsafePointer<CChar>, model: UInt32
  ) throws(LearnedFileError) -> TaughtCoins {
    var bytes = Bytes(repeating: 0)
    var span = bytes.mutableSpan
    let count = SmallFile.read(path, into: &span)
    if count == -Int(ENOENT) { return TaughtCoins() }
    if count < 0 { throw .failed(errno: Int32(-count)) }
    return try decode(bytes.span.extracting(first: count), model: model)
  }

  /// Writes a file in the place of the one before.
  /// - Parameters:
  ///   - path: NUL-terminated, at most 507 bytes.
  ///   - coins: what has been taught.
  ///   - model: checksum of the model in use.
  public static func write(
    _ path: UnsafePointer<CChar>, _ coins: TaughtCoins, model: UInt32
  ) throws(LearnedFileError) {
    var bytes = Bytes(repeating: 0)
    let count = encode(coins, model: model, into: &bytes)
    let result = SmallFile.replace(path, with: bytes.span.extracting(first: count))
    if result < 0 { throw .failed(errno: -result) }
  }

  /// Puts a file's bytes together; returns how many there are.
  static func encode(_ coins: TaughtCoins, model: UInt32, into bytes: inout Bytes) -> Int {
    for index in 0..<8 { bytes[index] = magic.utf8Start[index] }
    var span = bytes.mutableSpan
    span.put(model, at: 8)
    span.put(UInt32(coins.count), at: 12)
    for index in 0..<coins.count {
      let kind = coins[index]
      let start = 16 + index * kindBytes
      for place in 0..<kind.name.count { span[start + place] = kind.name.span[place] }
      span.put(UInt32(kind.name.count), at: start + 24)
      span.put(UInt32(bitPattern: kind.value), at: start + 28)
      span.put(UInt32(kind.viewCount), at: start + 32)
      for number in 0..<kind.viewCount {
        let view = kind.view(number)
        for place in 0..<Embedding.capacity {
          span[start + 36 + number * Embedding.capacity + place] = UInt8(
            bitPattern: view.values[place])
        }
      }
    }
    let end = 16 + coins.count * kindBytes
    let checksum = span.span.extracting(first: end).withUnsafeBytes { Checksum.crc32($0) }
    span.put(checksum, at: end)
    return end + 4
  }

  /// Takes a file's bytes apart; any bytes at all are safe.
  static func decode(
    _ bytes: Span<UInt8>, model: UInt32
  ) throws(LearnedFileError) -> TaughtCoins {
    guard bytes.count >= 20 else { throw .damaged }
    for index in 0..<8 where bytes[index] != magic.utf8Start[index] { throw .damaged }
    let count = Int(bytes.number(at: 12))
    guard count <= TaughtCoins.capacity, bytes.count == 16 + count * kindBytes + 4 else {
      throw .damaged
    }
    let end = bytes.count - 4
    let checksum = bytes.extracting(first: end).withUnsafeBytes { Checksum.crc32($0) }
    guard checksum == bytes.number(at: end) else { throw .damaged }
    guard bytes.number(at: 8) == model else { throw .otherModel }
    var coins = TaughtCoins()
    for index in 0..<count { coins.add(try kind(at: 16 + index * kindBytes, in: bytes)) }
    return coins
  }

  private static func kind(
    at start: Int, in bytes: Span<UInt8>
  ) throws(LearnedFileError) -> TaughtKind {
    var kind = TaughtKind()
    let length = Int(bytes.number(at: start + 24))
    kind.value = Int32(bitPattern: bytes.number(at: start + 28))
    let views = Int(bytes.number(at: start + 32))
    guard length <= CoinName.capacity, views >= 1, views <= TaughtKind.viewCapacity else {
      throw .damaged
    }
    if length > 0 {
      guard let name = CoinName(bytes.extracting(start..<(start + length))) else { throw .damaged }
      kind.name = name
    }
    var isValue = kind.value == 0
    for index in 0..<5 where Detection.values[index] == kind.value { isValue = true }
    guard isValue && (kind.value == 0) == (length > 0) else { throw .damaged }
    for number in 0..<views {
      var view = Embedding()
      for place in 0..<Embedding.capacity {
        view.values[place] = Int8(
          bitPattern: bytes[start + 36 + number * Embedding.capacity + place])
      }
      kind.add(view)
    }
    return kind
  }

  private static let magic: StaticString = "RECEHTC1"
}
