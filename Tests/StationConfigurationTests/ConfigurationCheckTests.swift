import FoundationEssentials
import Testing

@testable import StationConfiguration

/// The configurations that `retake config` and `retake run` refuse alike.
@Suite("A configuration") struct ConfigurationCheckTests {
  private static let wrong: [(text: String, words: String)] = [
    ("[web]\nlisten = \"0.0.0.0:8080\"", ":2:1: 'web.listen' is 0.0.0.0:8080, which others"),
    ("[web]\nlisten = \"[::]:8080\"", ":2:1: 'web.listen' is [::]:8080, which others"),
    ("[web]\nsounds = true\nlanguage = \"xx\"", ":3:1: 'web.language' is \"xx\", and the page"),
    ("[web]\nlanguage = \"english\"", ":2:1: 'web.language' is \"english\""),
    ("[camera]\nformat = \"H264\"", ":2:1: 'camera.format' is \"H264\", of which no pictures"),
    ("[cameras.a]\nsize = \"8x8\"", ":2:1: 'cameras.a.size' is \"8x8\", which no camera"),
    ("[library]\nalbum = \"lost+found\"", ":2:1: 'library.album' must be a plain directory"),
    (
      "[library]\npath = \"/srv/a\"\n[copy]\nto = [\"/srv/a/b\"]", ":4:1: 'copy.to' names"
    ),
    ("[buttons.x]\nline = \"GPIO1\"", ":2:1: 'buttons.x' has no role"),
  ]

  @Test("is refused as it is read, with the line, for all that a start would refuse")
  func refusedAsItIsRead() {
    for (text, words) in ConfigurationCheckTests.wrong {
      do throws(ConfigurationError) {
        _ = try Configuration().reading(text, file: "f.toml")
        Issue.record("this was read: \(text)")
      } catch {
        #expect("\(error)".hasPrefix("f.toml\(words)"), "\(error)")
      }
    }
  }

  @Test(
    "may have what is allowed",
    arguments: [
      "[web]\nlisten = \"0.0.0.0:8080\"\ntoken = \"a-long-word-of-your-own\"",
      "[web]\nlisten = \"127.0.0.1:8080\"", "[web]\nlisten = \"\"",
      "[web]\nlanguage = \"ko\"", "[web]\nlanguage = \"de-AT\"", "[web]\nlanguage = \"FR_ca\"",
      // A page of the operator's own brings its own languages.
      "[web]\nlanguage = \"nl\"\ndirectory = \"/srv/page\"",
      "[camera]\nformat = \"GREY\"", "[camera]\nsize = \"16x16\"",
    ])
  func allowed(text: String) throws {
    _ = try Configuration().reading(text, file: "f.toml")
  }

  @Test("for a wedding is read, and keeps the photo of a guest who walks away")
  func wedding() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("deploy/examples/wedding.toml")
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let usual = Configuration(isService: true)
    let wedding = try usual.reading(text, file: "wedding.toml")
    #expect(wedding.reviewEnd == .accept)
    #expect(wedding.countdown == .seconds(5))
    #expect(wedding.orientation.aspect == .twoToThree)
    #expect(wedding.web.sounds)
    #expect(wedding.copies == ["/media/retake/copies"])
    #expect(wedding.panelButtons.map(\.role) == [.one])
    #expect(wedding.panelButtons.map(\.meaning.double) == [nil])
    // Every value is said in the file because it differs from the default.
    for setting in wedding.settings where setting.origin != nil {
      guard setting.key != "review.timeout" else { continue }
      let before = usual.settings.first { $0.key == setting.key }?.value
      #expect(before != setting.value, "\(setting.key)")
    }
  }

  @Test("of the manual can be used") func manual() throws {
    for (title, text) in ConfigurationKey.exampleFiles {
      let read = try Configuration(isService: true).reading(text, file: title)
      #expect(!read.origins.isEmpty)
    }
    let page = ConfigurationKey.manual(date: "2026-01-01")
    #expect(page.contains(".SH EXAMPLES\n"))
  }
}
