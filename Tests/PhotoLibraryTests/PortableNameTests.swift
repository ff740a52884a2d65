import Testing

@testable import PhotoLibrary

/// Names of albums on file systems that cannot carry them.
struct PortableNameTests {
  @Test("what FAT refuses, drops or keeps for devices is escaped, and nothing else")
  func table() {
    let expected: [(album: String, plain: String, portable: String)] = [
      ("booth", "booth", "booth"), ("Hochzeit Müller", "Hochzeit Müller", "Hochzeit Müller"),
      ("Anna & Ben: 12:30", "Anna & Ben: 12:30", "Anna & Ben%3A 12%3A30"),
      ("What a day?", "What a day?", "What a day%3F"),
      ("ends with dot.", "ends with dot.", "ends with dot%2E"),
      ("ends..", "ends..", "ends.%2E"), ("ends ", "ends ", "ends%20"),
      (" begins", " begins", " begins"), ("a.b", "a.b", "a.b"),
      ("\"*/<>\\|", "\"*/<>\\|", "%22%2A%2F%3C%3E%5C%7C"), ("tab\t", "tab\t", "tab%09"),
      ("CON", "CON", "%43ON"), ("nul.2026", "nul.2026", "%6Eul.2026"), ("Com1", "Com1", "%43om1"),
      ("LPT\u{B2}", "LPT\u{B2}", "%4CPT\u{B2}"), ("COM", "COM", "COM"), ("COM12", "COM12", "COM12"),
      ("aux .x", "aux .x", "%61ux .x"), ("CONSOLE", "CONSOLE", "CONSOLE"),
      ("100%", "100%", "100%"), ("50% off", "50% off", "50% off"),
      ("a%3Ab", "a%253Ab", "a%253Ab"), ("%3a", "%3a", "%3a"), ("%:", "%:", "%%3A"),
      ("%25", "%2525", "%2525"), (".", ".", "%2E"), ("🎉?", "🎉?", "🎉%3F"),
    ]
    for (album, plain, portable) in expected {
      #expect(PortableName.directory(album, .plain) == plain)
      #expect(PortableName.directory(album, .portable) == portable)
    }
    #expect(PortableName.directory("Müller: 🎉", .ascii) == "M%C3%BCller%3A %F0%9F%8E%89")
  }

  // Names of all kinds of characters that matter, some thousand.
  private func names() -> [String] {
    let parts = [
      "a", "A", "b", "B", "%", "2", "5", "3A", "3a", ":", ".", " ", "é", "e\u{301}", "É", "ß", "ſ",
      "K", "\u{212A}", "🎉", "con", "NUL", "İ", "ı", "\u{1C5}",
    ]
    var names = parts
    for first in parts {
      for second in parts {
        names.append(first + second)
        names.append(first + second + "x")
        names.append("%" + first + second)
      }
    }
    return names
  }

  @Test("each directory's name says which album it is, whichever form it has")
  func reversible() {
    let refused = Set("\"*/:<>?\\|".unicodeScalars)
    for name in names() {
      for isNarrow in [false, true] {
        for directory in PortableName.candidates(name, isNarrow: isNarrow) {
          let back = PortableName.album(directory.utf8)
          #expect(back == Array(name.utf8), "\(name) as \(directory)")
          #expect(directory.utf16.count <= 255)
        }
      }
      for tellsCase in [false, true] {
        let portable = PortableName.directory(name, .portable, tellsCase: tellsCase)
        #expect(!portable.hasSuffix(".") && !portable.hasSuffix(" "), "\(name)")
        #expect(refused.isDisjoint(with: portable.unicodeScalars), "\(name)")
        let ascii = PortableName.directory(name, .ascii, tellsCase: tellsCase)
        let isPlain = ascii.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        #expect(isPlain, "\(name)")
      }
    }
    // The longest album, all of it to be escaped.
    let long = String(repeating: "?", count: 64)
    #expect(PortableName.directory(long, .ascii).utf16.count == 192)
  }

  @Test("albums that differ in case only get names that differ in more")
  func cases() {
    let albums = [
      "booth", "Booth", "BOOTH", "bOOTH", "boOth", "12 Booth", "12 booth", "ÉTÉ", "été",
    ]
    var taken: [String: String] = [:]
    for album in albums {
      let name = PortableName.directory(album, .portable, tellsCase: true)
      let before = taken.updateValue(album, forKey: name.lowercased())
      #expect(before == nil, "\(album) and \(before ?? "") are both \(name)")
      // The escaped name must differ from every unescaped name.
      for other in albums { #expect(other.lowercased() != name.lowercased()) }
    }
    #expect(PortableName.directory("booth", .portable, tellsCase: true) == "%62ooth")
    #expect(PortableName.directory("Booth", .portable, tellsCase: true) == "%42ooth")
  }

  @Test("any bytes of a directory's name can be read")
  func hostile() {
    let names: [[UInt8]] = [
      [], [0x25], [0x25, 0x34], [0x25, 0x34, 0x31], [0x25, 0xFF, 0xFF], [0xFF, 0xFE],
      [0x25, 0x25, 0x34, 0x31], Array(repeating: 0x25, count: 255),
    ]
    let albums = names.map { PortableName.album($0) }
    #expect(albums[3] == [0x41])
    #expect(albums[6] == [0x25, 0x41])
    for (name, album) in zip(names, albums) { #expect(album.count <= name.count) }
  }
}
