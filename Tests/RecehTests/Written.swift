import Foundation
import TestSupport
import Testing

@testable import receh

/// What `write` writes, as it arrives at a descriptor.
func written(_ write: (inout Output) -> Void) throws -> [UInt8] {
  let folder = try TemporaryFolder()
  let path = try folder.file("output", [])
  let file = try #require(FileHandle(forWritingAtPath: path))
  var output = Output(descriptor: file.fileDescriptor)
  write(&output)
  output.flush()
  #expect(output.failure == 0)
  return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// The same as text.
func writtenText(_ write: (inout Output) -> Void) throws -> String {
  String(decoding: try written(write), as: UTF8.self)
}
