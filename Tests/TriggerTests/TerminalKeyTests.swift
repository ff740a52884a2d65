import Testing

@testable import Trigger

@Suite("The keys of a terminal") struct TerminalKeyTests {
  private func keys(_ bytes: [UInt8]) -> [UInt8] {
    var keys = TerminalKeys()
    return bytes.compactMap { keys.take($0) }
  }

  private static let escape: UInt8 = 0x1B

  @Test("of several bytes are none of the letters that they hold")
  func sequences() {
    let sequences = [
      "[A", "[C", "OP", "[15~", "[1;5C", "[200~", "[<0;12;34M",
    ]
    for sequence in sequences {
      let bytes = [TerminalKeyTests.escape] + Array(sequence.utf8)
      #expect(keys(bytes) == [TerminalKeyTests.escape], "\(sequence)")
      #expect(keys(bytes + Array("a".utf8)).last == UInt8(ascii: "a"), "\(sequence)")
      #expect(TerminalTrigger.action(of: TerminalKeyTests.escape) == nil)
    }
  }

  @Test("that are pressed alone are what they are, also after Escape")
  func letters() {
    #expect(keys(Array(" aRcq".utf8)) == Array(" aRcq".utf8))
    #expect(keys([TerminalKeyTests.escape, UInt8(ascii: "a")]) == [UInt8(ascii: "a")])
    #expect(keys([TerminalKeyTests.escape, TerminalKeyTests.escape]) == [])
    // A character beyond ASCII gives one answer, regardless of the number of its bytes.
    #expect(keys(Array("é".utf8)).count == 1)
    #expect(TerminalTrigger.name(of: UInt8(ascii: "x")) == "x")
    #expect(TerminalTrigger.name(of: 0x20) == "Space")
    #expect(TerminalTrigger.name(of: 0xC3) == nil)
  }
}
