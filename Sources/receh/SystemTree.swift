import Announcing
import CSystem

/// A path with its NUL.
typealias PathText = Text<512>

/// The system's own files, `/proc`, `/sys`, `/dev` and `/etc`, or a copy of them in another folder.
struct SystemTree {
  /// The folder in the place of `/`; empty for `/` itself.
  let root: Argument

  /// A path below the root.
  func path(_ folder: StaticString, _ name: Text<256>? = nil, _ rest: StaticString = "") -> PathText
  {
    var path = PathText()
    path.append(cString: root)
    path.append(folder)
    if let name { path.append(bytes: name.span) }
    path.append(rest)
    path.append(byte: 0)
    return path
  }

  /// What the first bytes of a file say, without newlines and NULs at the end; `nil` when it cannot
  /// be read.
  func read(_ path: PathText) -> Text<4096>? {
    let descriptor = path.asCString {
      csystem_open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    }
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var bytes = [4096 of UInt8](repeating: 0)
    var count = 0
    var span = bytes.mutableSpan
    let isRead = span.withUnsafeMutableBufferPointer { buffer in
      while count < 4096 {
        let received = CSystem.read(descriptor, buffer.baseAddress.map { $0 + count }, 4096 - count)
        if received == 0 { break }
        if received < 0 {
          if csystem_errno() == EINTR { continue }
          return false
        }
        count += received
      }
      return true
    }
    if !isRead { return nil }
    while count > 0 && (bytes[count - 1] == 10 || bytes[count - 1] == 0) { count -= 1 }
    var text = Text<4096>()
    text.append(bytes: bytes.span.extracting(first: count))
    return text
  }

  /// The whole number that is all of a file.
  func number(_ path: PathText) -> Int? {
    guard var text = read(path) else { return nil }
    text.append(byte: 0)
    return text.asCString { parseNumber($0) }
  }

  /// Where a link points to; `nil` when it is none.
  func link(_ path: PathText) -> Text<256>? {
    var bytes = [256 of UInt8](repeating: 0)
    var span = bytes.mutableSpan
    let count = path.asCString { path in
      span.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return -1 }
        return readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
      }
    }
    if count <= 0 { return nil }
    var text = Text<256>()
    text.append(bytes: bytes.span.extracting(first: count))
    return text
  }

  /// Whether there is such a file or folder.
  func has(_ path: PathText) -> Bool {
    path.asCString { access($0, F_OK) == 0 }
  }

  /// The names in a folder that begin with `prefix`, in natural order.
  func names(in folder: StaticString, beginning prefix: StaticString) -> [Text<256>] {
    var names: [Text<256>] = []
    let entries = path(folder).asCString { opendir($0) }
    guard let entries else { return names }
    defer { closedir(entries) }
    while let name = csystem_next_name(entries) {
      if name[0] == CChar(UInt8(ascii: ".")) { continue }
      if strncmp(name, prefix.cString, prefix.utf8CodeUnitCount) != 0 { continue }
      var text = Text<256>()
      text.append(cString: name)
      // Put in its place one by one: the optimiser of Swift 6.3 aborts on a sort by a closure here.
      var place = names.count
      while place > 0 && Self.isOrdered(text, names[place - 1]) { place -= 1 }
      names.insert(text, at: place)
    }
    return names
  }

  /// Of names with one prefix, such as video2 and video10, the shorter has the lower number.
  private static func isOrdered(_ first: Text<256>, _ second: Text<256>) -> Bool {
    if first.count != second.count { return first.count < second.count }
    for index in 0..<first.count where first.span[index] != second.span[index] {
      return first.span[index] < second.span[index]
    }
    return false
  }
}

extension Text {
  /// Appends bytes as they are.
  mutating func append(bytes: Span<UInt8>) {
    for index in 0..<bytes.count { append(byte: bytes[index]) }
  }

  /// Lends the text as a C string: one that lacks its NUL, because it was cut, is lent as empty.
  func asCString<Result>(_ body: (Argument) -> Result) -> Result {
    if count > 0 && self[count - 1] == 0 { return withCString(body) }
    return body(("" as StaticString).cString)
  }

  /// Whether `words` occur in the text.
  func contains(_ words: StaticString) -> Bool {
    let length = words.utf8CodeUnitCount
    var start = 0
    while start + length <= count {
      var index = 0
      while index < length && self[start + index] == words.utf8Start[index] { index += 1 }
      if index == length { return true }
      start += 1
    }
    return false
  }

  /// Whether the text begins with `words`.
  func begins(with words: StaticString) -> Bool {
    let length = words.utf8CodeUnitCount
    if count < length { return false }
    for index in 0..<length where self[index] != words.utf8Start[index] { return false }
    return true
  }
}
