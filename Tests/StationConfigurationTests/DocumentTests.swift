import Platform
import Testing

@testable import StationConfiguration

/// Tests of the documents that are written from the program's tables or compared with them.
@Suite struct DocumentTests {
  @Test("the sample is the defaults and names every key")
  func theSampleIsTheDefaultsAndNamesEveryKey() throws {
    let usual = Configuration(isService: true)
    let read = try usual.reading(ConfigurationKey.sample, file: "sample")
    #expect(read == usual)
    #expect(read.origins.isEmpty)
    for key in ConfigurationKey.all {
      let word = key.name.split(separator: ".").last.map(String.init) ?? ""
      #expect(word == "*" || ConfigurationKey.sample.contains("\n#\(word) = "), "\(key.name)")
      #expect(ConfigurationKey.sample.contains("\n# \(key.summary): "), "\(key.name)")
    }
  }

  @Test("every key of the sample can be used once its sign is taken away")
  func everyKeyOfTheSampleCanBeUsedOnceItsSignIsTakenAway() throws {
    var table = ""
    var count = 0
    for line in ConfigurationKey.sample.split(separator: "\n") {
      let text = line.hasPrefix("#") ? line.dropFirst() : line[...]
      if text.hasPrefix("[") { table = String(text) }
      guard !text.hasPrefix(" "), !text.hasPrefix("["), text.contains(" = ") else { continue }
      count += 1
      do {
        _ = try Configuration(isService: true).reading("\(table)\n\(text)\n", file: "sample")
      } catch {
        // A button of which one thing is said is not whole, which is told of its table.
        #expect(
          error.message.hasPrefix("'buttons.") || error.message.hasPrefix("'lamps."),
          "\(table) \(text): \(error)")
        #expect(!error.message.contains("there is no key"), "\(error)")
      }
    }
    #expect(count == ConfigurationKey.all.count)
  }

  @Test("what stands in the sample behind a sign is the default, or said to be an example")
  func everyCommentedValueIsTheDefaultOrAnExample() throws {
    let usual = ConfigurationKey.defaults
    var table = ""
    var before: Substring = ""
    for line in ConfigurationKey.sample.split(separator: "\n") {
      defer { before = line }
      let text = line.hasPrefix("#") ? line.dropFirst() : line[...]
      if text.hasPrefix("[") { table = String(text) }
      guard !text.hasPrefix(" "), !text.hasPrefix("["), text.contains(" = ") else { continue }
      let document = try TOMLDocument("\(table)\n\(text)\n")
      let value = try #require(document.values.first)
      let key = try #require(ConfigurationKey.all.first { $0.match(value.keys) != nil })
      let names = key.match(value.keys) ?? []
      var changed = usual
      try key.read(&changed, value, names)
      if before == ConfigurationKey.unset {
        #expect(changed != usual && key.show(usual, names) == nil, "\(table) \(text)")
      } else {
        // As shown: a value that is set to the default is the default.
        let isUsual = key.show(changed, names) == key.show(usual, names)
        #expect(isUsual, "\(table) \(text) is not the default")
      }
    }
    #expect(ConfigurationKey.sample.contains("\n#keep-days = 30\n"))
    #expect(usual.keepDays == nil && usual.web.token == nil && usual.web.pin == nil)
  }

  @Test("the manual has every key with its form") func theManualHasEveryKeyWithItsForm() {
    let manual = ConfigurationKey.manual(date: "2026-01-01")
    for key in ConfigurationKey.all {
      #expect(manual.contains("Value: \(manualText(key.form))."), "\(key.name)")
    }
    #expect(!manual.split(separator: "\n").contains { $0.hasPrefix("'") })
  }

  @Test("the whole sample is a configuration once every sign is taken away")
  func theWholeSampleCanBeUsed() throws {
    let lines = ConfigurationKey.sample.split(separator: "\n").map { line in
      // A line with a space after its `#` is prose.
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    let usual = Configuration(isService: true)
    let read = try usual.reading(lines.joined(separator: "\n"), file: "sample")
    #expect(read.buttons["one"]?.line == "GPIO17")
    #expect(read.buttons["shutter"]?.key == "KEY_ENTER")
    // The lamp that the drawings show.
    #expect(read.lamps["ready"]?.line == "GPIO23")
  }

  @Test("the reference has every key") func theReferenceHasEveryKey() {
    let keys = ConfigurationKey.reference
    for key in ConfigurationKey.all {
      #expect(keys.contains(markdownCell(key.form)), "\(key.name)")
    }
  }

  @Test("what a person's station has by default and the service has not is no setting to keep")
  func aPersonsDefaultsAreComments() throws {
    let person = Configuration(environment: ["HOME": "/home/guest"])
    let line = "\n#fallback = [\"demo\"]  # default here; the service's is []\n"
    #expect(person.commented.contains(line))
    let service = Configuration(isService: true)
    let kept = try service.reading(person.commented, file: "kept.toml")
    #expect(kept.fallback == service.fallback)
    #expect(kept.libraryPath == service.libraryPath)
    #expect(kept.socketPath == service.socketPath)
    #expect(!service.commented.contains("the service's is"))
    let chosen = try person.reading("[camera]\nfallback = [\"demo\"]", file: "f.toml")
    #expect(chosen.commented.contains("\nfallback = [\"demo\"]  # f.toml:2\n"))
  }
}
