import CSystem
import Detection
import Engine

/// The file of taught coins: a header, the kinds with their views, and a checksum of all.
///
///     bytes 0...7    "RECEHTC3"
///     8...11         checksum of the model they were taught with
///     12...15        how many kinds there are
///     16...19        angles of a view
///     20...23        features of an angle
///     per kind       name (24) and its length (4), value (4), views (4), diameter in millimetres
///                    (4) or 0, and the features (320) of each view
///     last 4         CRC-32 of all before
///
/// Numbers are little-endian. It is written beside its place, synced and renamed, so that a power
/// cut leaves the file before or the file after.
public enum TaughtFile {
  private static let headerBytes = 24
  /// Bytes of a kind without its views.
  private static let kindBytes = 24 + 16
  /// Bytes of a view.
  private static let viewBytes = Embedding.capacity
  /// Bytes of the largest file.
  public static let capacity =
    headerBytes + TaughtCoins.capacity
    * (kindBytes + TaughtKind.viewCapacity * viewBytes) + 4

  /// Bytes of a file in memory.
  typealias Bytes = InlineArray<31_068, UInt8>

  /// Reads a file; one that does not exist has no coins.
  /// - Parameters:
  ///   - path: NUL-terminated.
  ///   - model: checksum of the model in use.
  ///   - coins: emptied, then filled; empty where the file cannot be used.
  public static func read(
    _ path: UnsafePointer<CChar>, model: UInt32, into coins: inout TaughtCoins
  ) throws(LearnedFileError) {
    coins.removeAll()
    var bytes = Bytes(repeating: 0)
    var span = bytes.mutableSpan
    let count = SmallFile.read(path, into: &span)
    if count == -Int(ENOENT) { return }
    if count < 0 { throw .failed(errno: Int32(-count)) }
    do throws(LearnedFileError) {
      try decode(bytes.span.extracting(first: count), model: model, into: &coins)
    } catch {
      coins.removeAll()
      throw error
    }
  }

  /// Writes a file in the place of the one before.
  /// - Parameters:
  ///   - path: NUL-terminated, at most 507 bytes.
  ///   - coins: what has been taught.
  ///   - model: checksum of the model in use.
  public static func write(
    _ path: UnsafePointer<CChar>, _ coins: borrowing TaughtCoins, model: UInt32
  ) throws(LearnedFileError) {
    var bytes = Bytes(repeating: 0)
    let count = encode(coins, model: model, into: &bytes)
    let result = SmallFile.replace(path, with: bytes.span.extracting(first: count))
    if result < 0 { throw .failed(errno: -result) }
  }

  /// Puts a file's bytes together; returns how many there are.
  static func encode(
    _ coins: borrowing TaughtCoins, model: UInt32, into bytes: inout Bytes
  ) -> Int {
    for index in 0..<8 { bytes[index] = magic.utf8Start[index] }
    var span = bytes.mutableSpan
    let hasViews = coins.count > 0 && coins[0].viewCount > 0
    let look = hasViews ? coins[0].view(0) : Embedding()
    span.put(model, at: 8)
    span.put(UInt32(coins.count), at: 12)
    span.put(UInt32(look.angles), at: 16)
    span.put(UInt32(look.features), at: 20)
    var end = headerBytes
    for index in 0..<coins.count {
      let kind = coins[index]
      for place in 0..<24 {
        span[end + place] = place < kind.name.count ? kind.name.span[place] : 0
      }
      span.put(UInt32(kind.name.count), at: end + 24)
      span.put(UInt32(bitPattern: kind.value), at: end + 28)
      span.put(UInt32(kind.viewCount), at: end + 32)
      span.put(kind.millimetres.bitPattern, at: end + 36)
      end += kindBytes
      for number in 0..<kind.viewCount {
        let view = kind.view(number)
        for place in 0..<Embedding.capacity {
          span[end + place] = UInt8(bitPattern: view.values[place])
        }
        end += Embedding.capacity
      }
    }
    let checksum = span.span.extracting(first: end).withUnsafeBytes { Checksum.crc32($0) }
    span.put(checksum, at: end)
    return end + 4
  }

  /// Takes a file's bytes apart and adds its kinds; any bytes at all are safe.
  static func decode(
    _ bytes: Span<UInt8>, model: UInt32, into coins: inout TaughtCoins
  ) throws(LearnedFileError) {
    guard bytes.count >= headerBytes + 4 else { throw .damaged }
    for index in 0..<7 where bytes[index] != magic.utf8Start[index] { throw .damaged }
    guard bytes[7] == magic.utf8Start[7] else {
      guard bytes[7] >= UInt8(ascii: "1") && bytes[7] <= UInt8(ascii: "9") else { throw .damaged }
      throw bytes[7] < magic.utf8Start[7] ? .earlierVersion : .laterVersion
    }
    let end = bytes.count - 4
    let checksum = bytes.extracting(first: end).withUnsafeBytes { Checksum.crc32($0) }
    guard checksum == bytes.number(at: end) else { throw .damaged }
    guard bytes.number(at: 8) == model else { throw .otherModel }
    let count = Int(bytes.number(at: 12))
    let angles = Int(bytes.number(at: 16))
    let features = Int(bytes.number(at: 20))
    guard count <= TaughtCoins.capacity, Embedding.fits(angles: angles, features: features)
    else { throw .damaged }
    let look = Embedding(angles: angles, features: features)
    var start = headerBytes
    for _ in 0..<count { coins.add(try kind(at: &start, in: bytes.extracting(first: end), look)) }
    guard start == end else { throw .damaged }
  }

  /// Takes the kind at `start` apart and moves `start` behind it; its views are like `look`.
  private static func kind(
    at start: inout Int, in bytes: Span<UInt8>, _ look: Embedding
  ) throws(LearnedFileError) -> TaughtKind {
    guard bytes.count - start >= kindBytes else { throw .damaged }
    var kind = TaughtKind()
    let length = Int(bytes.number(at: start + 24))
    kind.value = Int32(bitPattern: bytes.number(at: start + 28))
    let views = Int(bytes.number(at: start + 32))
    kind.millimetres = Float(bitPattern: bytes.number(at: start + 36))
    guard length <= CoinName.capacity, views >= 1, views <= TaughtKind.viewCapacity,
      kind.millimetres >= 0 && kind.millimetres < 1000
    else { throw .damaged }
    if length > 0 {
      guard let name = CoinName(bytes.extracting(start..<(start + length))) else { throw .damaged }
      kind.name = name
    }
    var isValue = kind.value == 0
    for index in 0..<5 where Detection.values[index] == kind.value { isValue = true }
    guard isValue && (kind.value == 0) == (length > 0) else { throw .damaged }
    start += kindBytes
    guard bytes.count - start >= views * viewBytes else { throw .damaged }
    for _ in 0..<views {
      var view = look
      for place in 0..<Embedding.capacity {
        view.values[place] = Int8(bitPattern: bytes[start + place])
      }
      kind.add(view)
      start += viewBytes
    }
    return kind
  }

  private static let magic: StaticString = "RECEHTC3"
}
