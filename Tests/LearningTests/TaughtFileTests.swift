import Foundation
import TestSupport
import Testing

@testable import Detection
@testable import Learning

@Suite struct TaughtFileTests {
  private func taught() -> TaughtCoins {
    var coins = TaughtCoins()
    var named = TaughtKind()
    named.name = name("satu ringgit")
    named.millimetres = 24.5
    for index in 0..<10 {
      var view = Embedding(angles: 20, features: 16)
      for place in 0..<320 { view.values[place] = Int8(place * (index + 3) % 255 - 127) }
      named.add(view)
    }
    coins.add(named)
    var valued = TaughtKind()
    valued.value = 200
    var view = Embedding(angles: 20, features: 16)
    view.values[9] = 127
    valued.add(view)
    coins.add(valued)
    return coins
  }

  private func bytes(_ coins: borrowing TaughtCoins, model: UInt32 = 7) -> [UInt8] {
    var memory = TaughtFile.Bytes(repeating: 0)
    let count = TaughtFile.encode(coins, model: model, into: &memory)
    return (0..<count).map { memory[$0] }
  }

  private func error(_ bytes: [UInt8], model: UInt32 = 7) -> LearnedFileError? {
    do throws(LearnedFileError) {
      var coins = TaughtCoins()
      try TaughtFile.decode(bytes.span, model: model, into: &coins)
      return nil
    } catch {
      return error
    }
  }

  @Test func whatWasTaughtComesBackFromTheFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/taught"
    try path.withCString { try TaughtFile.write($0, taught(), model: 7) }
    var back = TaughtCoins()
    try path.withCString { try TaughtFile.read($0, model: 7, into: &back) }
    #expect(back.count == 2)
    #expect(back[0].viewCount == 10 && back[1].value == 200)
    #expect(back[0].millimetres == 24.5 && back[1].millimetres == 0)
    let named = taught()[0].name
    #expect(back[0].name == named)
    for index in 0..<10 {
      #expect(back[0].view(index).distance(to: taught()[0].view(index)) < 0.001)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files == ["taught"])
  }

  @Test func aFileThatIsNotThereHoldsNothing() throws {
    var coins = taught()
    try "/nowhere/taught".withCString { try TaughtFile.read($0, model: 7, into: &coins) }
    #expect(coins.count == 0)
  }

  @Test func aFolderThatIsNotThereIsToldOf() throws {
    let coins = taught()
    #expect(throws: LearnedFileError.failed(errno: ENOENT)) {
      try "/nowhere/taught".withCString { try TaughtFile.write($0, coins, model: 7) }
    }
  }

  @Test func anotherModelIsTold() throws {
    #expect(error(bytes(taught()), model: 8) == .otherModel)
  }

  @Test func filesOfOtherVersionsAreToldFromDamage() throws {
    let versions: [(String, LearnedFileError)] = [
      ("0", .damaged), ("1", .earlierVersion), ("2", .earlierVersion), ("4", .laterVersion),
      ("9", .laterVersion), ("x", .damaged),
    ]
    for (version, expected) in versions {
      #expect(error(Array("RECEHTC\(version)".utf8) + [UInt8](repeating: 0, count: 40)) == expected)
    }
  }

  @Test func everyChangeOfOneBitIsNoticed() throws {
    let whole = bytes(taught())
    #expect(error(whole) == nil)
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1 << UInt8(index % 8)
      // The eighth byte is the version.
      let expected: [LearnedFileError] =
        index == 7 ? [.damaged, .earlierVersion, .laterVersion] : [.damaged]
      #expect(error(changed).map { expected.contains($0) } == true)
    }
    for length in stride(from: 0, to: whole.count, by: 13) {
      #expect(error(Array(whole.prefix(length))) == .damaged)
    }
  }
}
