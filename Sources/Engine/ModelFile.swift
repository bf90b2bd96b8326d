/// The bytes of a model file and where its sections lie: reads numbers and records.
///
/// After `init` succeeds, every record of every section lies inside the bytes.
struct ModelFile: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let base: UnsafeRawPointer
  private var offsets = InlineArray<7, Int>(repeating: 0)
  private var counts = InlineArray<7, Int>(repeating: 0)

  /// Checks header, checksum and directory.
  init(_ bytes: UnsafeRawBufferPointer) throws(ModelError) {
    let magic = ModelFormat.magic
    guard let base = bytes.baseAddress, bytes.count >= magic.utf8CodeUnitCount else {
      throw ModelError(.file, .notAModel)
    }
    self.bytes = bytes
    self.base = base
    for offset in 0..<magic.utf8CodeUnitCount where bytes[offset] != magic.utf8Start[offset] {
      throw ModelError(.file, .notAModel)
    }
    guard bytes.count >= ModelFormat.headerBytes else { throw ModelError(.file, .truncated) }
    guard u32(8) == ModelFormat.version else { throw ModelError(.file, .wrongVersion) }
    guard bytes.count >= Int(u32(12)) else { throw ModelError(.file, .truncated) }
    guard bytes.count == Int(u32(12)) else { throw ModelError(.file, .trailingBytes) }
    guard u32(20) == 0 else { throw ModelError(.file, .reservedNotZero) }
    let covered = UnsafeRawBufferPointer(rebasing: bytes[ModelFormat.checksumStart...])
    guard u32(16) == Checksum.crc32(covered) else { throw ModelError(.file, .damaged) }
    try readDirectory()
  }

  /// The checksum of all bytes but the header's first.
  var checksum: UInt32 { u32(16) }

  private mutating func readDirectory() throws(ModelError) {
    var end = ModelFormat.headerBytes
    for index in 0..<ModelFormat.Section.count {
      guard let section = ModelFormat.Section(rawValue: index) else { continue }
      let offset = Int(u32(ModelFormat.directoryStart + 8 * index))
      let count = Int(u32(ModelFormat.directoryStart + 8 * index + 4))
      guard offset % ModelFormat.sectionAlignment == 0 && offset >= end else {
        throw ModelError(.section, .sectionMisplaced, index: index)
      }
      guard count <= section.capacity else { throw ModelError(.section, .tooMany, index: index) }
      guard offset <= bytes.count && count * section.recordBytes <= bytes.count - offset else {
        throw ModelError(.section, .sectionOutside, index: index)
      }
      end = offset + count * section.recordBytes
      offsets[index] = offset
      counts[index] = count
    }
  }

  /// How many records a section has.
  func count(_ section: ModelFormat.Section) -> Int { counts[section.rawValue] }

  /// Where a record begins. Precondition: `0 <= index < count(section)`.
  func offset(_ section: ModelFormat.Section, _ index: Int) -> Int {
    precondition(index >= 0 && index < counts[section.rawValue])
    return offsets[section.rawValue] + index * section.recordBytes
  }

  /// Where the weights section begins.
  var weightsStart: Int { offsets[ModelFormat.Section.weights.rawValue] }

  /// Whether `count` records from `first` on all exist.
  func has(_ section: ModelFormat.Section, first: Int, count: Int) -> Bool {
    let available = counts[section.rawValue]
    return first >= 0 && count >= 0 && first <= available && count <= available - first
  }

  func u8(_ offset: Int) -> UInt8 { load(offset) }
  func i8(_ offset: Int) -> Int8 { load(offset) }
  func u16(_ offset: Int) -> UInt16 { UInt16(littleEndian: load(offset)) }
  func u32(_ offset: Int) -> UInt32 { UInt32(littleEndian: load(offset)) }
  func i32(_ offset: Int) -> Int32 { Int32(littleEndian: load(offset)) }
  func f32(_ offset: Int) -> Float { Float(bitPattern: u32(offset)) }

  /// Whether the bytes from `offset` to before `end` are all zero.
  func isZero(_ offset: Int, _ end: Int) -> Bool {
    for place in offset..<end where u8(place) != 0 { return false }
    return true
  }

  /// The text in a field of `size` bytes at `offset`; `nil` when it is malformed.
  func text(_ offset: Int, _ size: Int) -> ModelText? {
    precondition(offset >= 0 && size >= 0 && size <= bytes.count && offset <= bytes.count - size)
    return ModelText(field: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]))
  }

  /// A pointer to `offset`. Precondition: inside the file.
  func pointer(_ offset: Int) -> UnsafeRawPointer {
    precondition(offset >= 0 && offset <= bytes.count)
    return base + offset
  }

  private func load<Number: BitwiseCopyable>(_ offset: Int) -> Number {
    precondition(offset >= 0 && offset <= bytes.count - MemoryLayout<Number>.size)
    return bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
  }
}
