import Platform
import Synchronization
import Testing

struct PlainTextTests {
  @Test(
    "what a terminal obeys, and what misleads a reader, is written out; everything else stays",
    arguments: [
      ("IMG_00000001.jpg", "IMG_00000001.jpg"), ("Späti 🎉 Анна", "Späti 🎉 Анна"), ("", ""),
      ("a\u{1B}[2Jb", "a\\u{1B}[2Jb"), ("a\rb\nc\td", "a\\u{D}b\\u{A}c\\u{9}d"),
      ("\u{0}\u{7F}", "\\u{0}\\u{7F}"), ("\u{9B}31m", "\\u{9B}31m"),
      ("\u{202E}gpj.exe", "\\u{202E}gpj.exe"), ("\u{2066}x\u{2069}\u{200F}", "\\u{2066}x\\u{2069}\\u{200F}"),
      ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"), ("\u{FEFF}\u{200B}", "\\u{FEFF}\\u{200B}"),
      ("👩\u{200D}🚀", "👩\u{200D}🚀"), ("C:\\u\\n", "C:\\u\\n"),
    ])
  func plain(_ text: String, _ expected: String) {
    #expect(text.plain == expected)
    #expect(expected.fromPlain == text)
    #expect(expected.plain == expected)
  }

  @Test("bytes that are no UTF-8 cannot become a control")
  func invalid() {
    let text = String(decoding: [0x61, 0x9B, 0xC2, 0x1B, 0xFF, 0x62] as [UInt8], as: UTF8.self)
    #expect(text.plain.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B })
    #expect(text.plain.contains("\\u{1B}"))
  }

  @Test("the program's own line ends and tabs stay where they are meant, and nothing else does")
  func lines() {
    #expect("a\n\tb\u{1B}\r".plainLines == "a\n\tb\\u{1B}\\u{D}")
    #expect("a\tb\n".plainFields == "a\tb\\u{A}")
  }

  @Test(
    "what only looks as if it were written out stays",
    arguments: ["\\u{", "\\u{}", "\\u{110000}", "\\u{D800}", "\\u{1B", "\\u{x}", "a\\u{0000001}"])
  func broken(_ text: String) { #expect(text.fromPlain == text) }

  @Test("a name cannot add a line to what systemd is told")
  func notification() {
    let told = Mutex<[String]>([])
    let manager = ServiceManager { message in told.withLock { $0.append(message) } }
    manager.show("a\nSTOPPING=1")
    manager.isReady("a\nSTOPPING=1")
    #expect(
      told.withLock { $0 }
        == ["STATUS=a\\u{A}STOPPING=1", "READY=1\nSTATUS=a\\u{A}STOPPING=1"])
  }
}
