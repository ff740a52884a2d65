import Testing

@testable import Platform

@Suite("Names of files") struct FileNameTests {
  @Test("are the same only with the same bytes, however letters are composed")
  func bytes() {
    let names = ["\u{E9}", "e\u{301}", "e", "", "K", "\u{212A}", "ab", "a", "\u{1F600}"]
    for (index, one) in names.enumerated() {
      for (other, two) in names.enumerated() {
        #expect((FileName(one) == FileName(two)) == (index == other))
        #expect(one.hasBytes(of: two) == (index == other))
        let precedes = one.utf8.lexicographicallyPrecedes(two.utf8)
        #expect((FileName(one) < FileName(two)) == precedes)
      }
    }
    #expect(Set(names.map(FileName.init)).count == names.count)
  }

  @Test("are cut at slashes and beginnings by bytes")
  func parts() {
    #expect("a/\u{301}b//c".pathParts == ["a", "\u{301}b", "", "c"])
    #expect("".pathParts == [""])
    #expect("/m/\u{301}x".bytes(after: "/m/") == "\u{301}x")
    #expect("/\u{E9}/x".bytes(after: "/e\u{301}/") == nil)
    #expect("/m".bytes(after: "/m/") == nil)
  }
}
