import Testing

@testable import StationConfiguration

/// What is refused before, in and after the parser, each with its line and what to do.
@Suite struct ConfigurationTextTests {
  private func problem(_ bytes: [UInt8]) -> String {
    do {
      _ = try Configuration().reading(bytes, file: "f.toml")
      return "no problem"
    } catch {
      return "\(error)"
    }
  }

  private static func bytes(_ before: String, _ byte: UInt8, _ after: String) -> [UInt8] {
    var all = Array(before.utf8)
    all.append(byte)
    all += after.utf8
    return all
  }

  private static let noText: [([UInt8], String)] = [
    (bytes("[library]\nalbum = \"M", 0xFC, "ller\"\n"), "f.toml:2:11: has"),
    ([0xFF, 0xFE, 0x5B, 0x00], "f.toml:1:1: is UTF-16"),
    ([0xFE, 0xFF, 0x00, 0x5B], "f.toml:1:1: is UTF-16"),
    (bytes("[library]\npath = \"/a", 0, "b\""), "f.toml:2:11: has a control"),
    // Overlong, a surrogate, beyond the last character, cut short.
    ([0x23, 0xC0, 0x80], "f.toml:1:2: has the byte 0xC0"),
    ([0x23, 0xED, 0xA0, 0x80], "f.toml:1:2: has the byte 0xED"),
    ([0x23, 0xF4, 0x90, 0x80, 0x80], "f.toml:1:2: has the byte 0xF4"),
    ([0x23, 0xE2, 0x82], "f.toml:1:2: has the byte 0xE2"),
  ]

  @Test("bytes that are no text are told with their place", arguments: noText)
  func bytesThatAreNoTextAreToldWithTheirPlace(_ bytes: [UInt8], _ words: String) {
    let found = problem(bytes)
    #expect(found.hasPrefix(words), "\(found)")
  }

  @Test(
    "what the parser cannot be given is told with its place",
    arguments: [
      ("[library]\nalbum = Müller", "f.toml:2:10: has 'ü' (U+00FC) outside of quotation marks"),
      ("[library]\nalbum = “booth”", "f.toml:2:9: has the quotation mark “ (U+201C)"),
      ("a\u{A0}= 1", "f.toml:1:2: has U+00A0 outside of quotation marks; put a plain space"),
      ("# a\u{2028}b = 1", "f.toml:1:4: has the invisible character U+2028"),
      ("a = \"x\u{FEFF}\"", "f.toml:1:7: has the invisible character U+FEFF"),
      ("a = 1\rb = 2", "f.toml:1:6: has a control character"),
      ("a.b.c.d.e.f.g.h.i = 1", "f.toml:1:16: has a key of more than 8 parts"),
      ("[a.b.c.d.e.f.g.h.i]", "f.toml:1:17: has a key of more than 8 parts"),
      ("a = {b.c.d.e.f.g.h.i.j = 1}", "f.toml:1:21: has a key of more than 8 parts"),
      ("x = '''\n'''''\na.b.c.d.e.f.g.h.i = 1", "f.toml:3:16: has a key of more than 8 parts"),
      ("x = \"\\\"\"\na.b.c.d.e.f.g.h.i = 1", "f.toml:2:16: has a key of more than 8 parts"),
      ("a = [[[[[[[[[1]]]]]]]]]", "f.toml:1:"),
      ("[library]\npath = \"/a\\u0000b\"", "f.toml:2:1: has a control character in a text"),
      ("[cameras.\"a\\u001fb\"]\nrate = 30", "f.toml:1:10: has a control character in a key"),
      ("a = 1\n[.b]", "f.toml:2:1: invalid TOML"), ("[[.b]]", "f.toml:1:"),
    ])
  func whatTheParserCannotBeGivenIsToldWithItsPlace(_ text: String, _ words: String) {
    let found = problem(Array(text.utf8))
    #expect(found.hasPrefix(words), "\(found)")
  }

  @Test(
    "what is right is read",
    arguments: [
      ("\u{FEFF}[library]\nalbum = \"Müller\"", "Müller"),
      (
        "[library]\r\nalbum = 'a.b.c.d.e.f.g.h.i.j' # a.b.c.d.e.f.g.h.i.j ü\r\n",
        "a.b.c.d.e.f.g.h.i.j"
      ),
      ("# ü “x” …\n[library]\nalbum = \"日本\" # 日本", "日本"),
    ])
  func whatIsRightIsRead(_ text: String, _ album: String) throws {
    let read = try Configuration().reading(text, file: "f.toml")
    #expect(read.album == album)
  }

  @Test("sizes are bounded") func sizesAreBounded() {
    let comment = [UInt8](repeating: 0x23, count: ConfigurationFile.limit)
    #expect(problem(comment) == "no problem")
    #expect(problem(comment + [0x23]) == "f.toml: is larger than 256 KB, and no configuration is")
    let list = String(repeating: "\"x\",", count: TOMLDocument.maxValues + 1)
    #expect(problem(Array("a = [\(list)]".utf8)).hasPrefix("f.toml:1:1: has more values"))
    let text = String(repeating: "x", count: ConfigurationText.maxBytes + 1)
    #expect(problem(Array("a = \"\(text)\"".utf8)).hasPrefix("f.toml:1:1: has a text that is too"))
    var buttons = (0...64).map { "[buttons.b\($0)]\nrole = \"shutter\"\nline = \"L\($0)\"\n" }
    #expect(problem(Array(buttons.joined().utf8)).contains("is one too many: at most 64"))
    buttons.removeLast()
    #expect(problem(Array(buttons.joined().utf8)) == "no problem")
  }
}
