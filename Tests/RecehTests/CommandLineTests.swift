import Testing

@Suite struct CommandLineTests {
  @Test func helpIsPrintedAndNothingIsWrong() throws {
    let result = try Command.run("--help")
    #expect(result.status == 0)
    #expect(result.outputText.contains("Usage:"))
    #expect(result.outputText.contains("Exit status:"))
    #expect(result.complaints.isEmpty)
  }

  @Test func theVersionIsOneLine() throws {
    let result = try Command.run("--version")
    #expect(result.status == 0)
    #expect(result.outputText.wholeMatch(of: /receh [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test func noCommandIsAMistakeOfUsage() throws {
    let result = try Command.run()
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.complaints == ["receh: no command given; 'receh --help' tells of them"])
  }

  @Test(arguments: ["cuont", "--verson", "-h", ""])
  func anUnknownWordIsNamedWithTheWayOut(word: String) throws {
    let result = try Command.run(word)
    #expect(result.status == 2)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("'\(word)'; 'receh --help'") == true)
  }

  @Test func aNameThatWouldBreakTheLineIsShownInSigns() throws {
    let result = try Command.run([Array("a\nb\u{1b}[2J\u{9b}é".utf8) + [0xff, 0xe2, 0x82]])
    #expect(result.status == 2)
    #expect(result.complaints.count == 1)
    #expect(
      result.complaints.first?.contains(#"'a\x0ab\x1b[2J\xc2\x9bé\xff\xe2\x82'"#) == true)
  }

  @Test(arguments: ["--help", "--version"])
  func aFullDiskIsAFailure(word: String) throws {
    let result = try Command.run(word, output: "/dev/full")
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("No space left on device") == true)
  }
}
