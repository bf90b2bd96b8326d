import Foundation

/// A folder that is removed with its owner.
package final class TemporaryFolder {
  /// Where it is.
  package let path: String

  /// Makes a folder with a name of its own.
  package init() throws {
    path = NSTemporaryDirectory() + "receh-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file; returns its path.
  package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    return path + "/" + name
  }
}
