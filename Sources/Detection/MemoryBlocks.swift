/// Cuts one block of memory into parts, each aligned to 64 bytes.
struct MemoryBlocks {
  private var rest: UnsafeMutableRawBufferPointer

  static let alignment = 64

  /// What a part of `size` bytes takes up.
  static func rounded(_ size: Int) -> Int { (size + alignment - 1) / alignment * alignment }

  init(_ memory: UnsafeMutableRawBufferPointer) throws(FinderError) {
    guard let base = memory.baseAddress, UInt(bitPattern: base) % UInt(Self.alignment) == 0 else {
      throw .memoryUnsuitable
    }
    rest = memory
  }

  mutating func take(_ size: Int) throws(FinderError) -> UnsafeMutableRawBufferPointer {
    let taken = Self.rounded(size)
    guard taken <= rest.count else { throw .memoryUnsuitable }
    let part = UnsafeMutableRawBufferPointer(rebasing: rest[..<size])
    rest = UnsafeMutableRawBufferPointer(rebasing: rest[taken...])
    return part
  }

  /// Takes room for `count` elements and fills it.
  mutating func take<Element: BitwiseCopyable>(
    of type: Element.Type, count: Int, filler: Element
  ) throws(FinderError) -> UnsafeMutablePointer<Element> {
    let part = try take(count * MemoryLayout<Element>.stride)
    guard let base = part.bindMemory(to: Element.self).baseAddress else {
      throw .memoryUnsuitable
    }
    base.initialize(repeating: filler, count: count)
    return base
  }
}
