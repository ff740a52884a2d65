import FoundationEssentials
import Testing

/// Tests that all messages for operators have the same style.
///
/// Messages begin with a lower-case letter, end without a full stop, and put text that a person
/// types into single quotes.
@Suite("The messages of errors") struct MessageStyleTests {
  private static let names = [
    "CaptureError(", "StillError(", "MovieError(", "StationError(", "LibraryError(", "KioskError(",
    "ConfigurationError(", "UsageError(",
  ]

  @Test("begin small, end without a stop, and quote with one sign")
  func style() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    var messages = 0
    for file in files where file.hasSuffix(".swift") && !file.hasSuffix("PageAssets.swift") {
      let data = try Data(contentsOf: sources.appendingPathComponent(file))
      let lines = String(decoding: data, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      // How many more lines may hold the message of an error.
      var left = 0
      var isFirst = true
      for (index, line) in lines.enumerated() {
        let code = line.drop { $0 == " " }
        if code.hasPrefix("//") { continue }
        let isError = MessageStyleTests.names.contains { code.contains($0) }
        if isError { (left, isFirst) = (4, true) } else { left -= 1 }
        guard left > 0, let start = code.firstIndex(of: "\"") else { continue }
        let place = "\(file):\(index + 1)"
        let text = code[code.index(after: start)...]
        messages += 1
        let begin = text.prefix(2)
        // An abbreviation may stand at the beginning, and a name that is filled in.
        let isCapital = begin.first?.isUppercase == true && begin.last?.isLowercase == true
        #expect(!(isFirst && isCapital), "begins with a capital: \(place)")
        let isStopped = [".\")", ".\",", ".\""].contains { code.hasSuffix($0) }
        #expect(!isStopped, "ends with a stop: \(place)")
        #expect(!text.contains("`"), "is quoted with another sign: \(place)")
        isFirst = false
      }
    }
    #expect(messages > 150)
  }
}
