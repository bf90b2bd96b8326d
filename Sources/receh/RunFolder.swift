import CSystem

/// The pictures of a folder, in natural order of their names: `9.jpg` before `10.jpg`.
///
/// The paths are kept until the process ends, because a thread reads them.
struct RunFolder {
  /// Paths of the pictures, in order.
  let paths: [UnsafeMutablePointer<CChar>]

  /// Lists a folder.
  ///
  /// - Throws: `ExitStatus.failed` after telling why it cannot be listed, has no pictures or takes
  ///   more memory than there is.
  init(_ folder: Argument) throws(ExitStatus) {
    guard let entries = opendir(folder) else {
      let code = csystem_errno()
      complain(RunOptions.command) { line in
        line.write("--source ")
        line.write(name: folder)
        line.write(": cannot be listed (")
        line.write(error: code)
        line.write("); check who may read it")
      }
      throw .failed
    }
    defer { closedir(entries) }
    var paths: [UnsafeMutablePointer<CChar>] = []
    while let name = csystem_next_name(entries) {
      if RunFolder.isPicture(name) { paths.append(try RunFolder.join(folder, name)) }
    }
    if paths.isEmpty {
      complain(RunOptions.command) { line in
        line.write("--source ")
        line.write(name: folder)
        line.write(": holds no .jpg, .jpeg or .png pictures; name another folder")
      }
      throw .failed
    }
    paths.sort { RunFolder.isOrdered($0, $1) }
    self.paths = paths
  }

  /// Whether a name is that of a picture; hidden files are not looked at.
  private static func isPicture(_ name: Argument) -> Bool {
    if name[0] == CChar(UInt8(ascii: ".")) { return false }
    return ends(name, ".jpg") || ends(name, ".jpeg") || ends(name, ".png")
  }

  /// Whether a name ends so, in capitals or not.
  private static func ends(_ name: Argument, _ ending: StaticString) -> Bool {
    let count = strlen(name)
    let length = ending.utf8CodeUnitCount
    return count > length && strcasecmp(name + (count - length), ending.cString) == 0
  }

  private static func join(
    _ folder: Argument, _ name: Argument
  ) throws(ExitStatus) -> UnsafeMutablePointer<CChar> {
    let length = strlen(folder)
    let size = strlen(name) + 1
    guard let memory = malloc(length + 1 + size) else {
      throw complainOfMemory(length + 1 + size, for: "the names of pictures")
    }
    let path = memory.assumingMemoryBound(to: CChar.self)
    memcpy(path, folder, length)
    path[length] = CChar(UInt8(ascii: "/"))
    memcpy(path + length + 1, name, size)
    return path
  }

  /// Whether `first` comes before `second`: runs of digits are compared as numbers, all else byte
  /// by byte; names that differ in leading zeros alone are ordered by their bytes.
  static func isOrdered(_ first: Argument, _ second: Argument) -> Bool {
    var (left, right) = (first, second)
    while left[0] != 0 && right[0] != 0 {
      if isDigit(left[0]) && isDigit(right[0]) {
        while left[0] == 48 { left += 1 }
        while right[0] == 48 { right += 1 }
        var (leftEnd, rightEnd) = (left, right)
        while isDigit(leftEnd[0]) { leftEnd += 1 }
        while isDigit(rightEnd[0]) { rightEnd += 1 }
        if leftEnd - left != rightEnd - right { return leftEnd - left < rightEnd - right }
        while left < leftEnd {
          if left[0] != right[0] { return left[0] < right[0] }
          left += 1
          right += 1
        }
      } else {
        if left[0] != right[0] { return UInt8(bitPattern: left[0]) < UInt8(bitPattern: right[0]) }
        left += 1
        right += 1
      }
    }
    if (left[0] == 0) != (right[0] == 0) { return left[0] == 0 }
    return strcmp(first, second) < 0
  }

  private static func isDigit(_ character: CChar) -> Bool {
    character >= 48 && character <= 57
  }
}
