import Foundation

extension RunFixture {
  /// Starts `receh run --json` over the folder's frames, and does not wait for its end.
  /// - Parameter output: where its events go: a `Pipe` or a `FileHandle`.
  func start(_ arguments: [String], output: Any) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Command.path)
    process.arguments = ["run", "--model", model, "--json", "--source", frames] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // So that its end is the end of what can be read.
    if let pipe = output as? Pipe { try pipe.fileHandleForWriting.close() }
    return process
  }
}

extension Pipe {
  /// Reads events until there is one of a kind that is about a part; `false` if there is none.
  func hasEvent(_ kind: String, part: String) -> Bool {
    var text = ""
    while true {
      let data = fileHandleForReading.availableData
      if data.isEmpty { return false }
      text += String(decoding: data, as: UTF8.self)
      if text.contains("\"event\":\"\(kind)\",\"part\":\"\(part)\"") { return true }
    }
  }
}
