// embed-page OUTPUT PAGE INTERFACE
// Writes a Swift source with one literal for each file below the folder PAGE, and for the API's
// description INTERFACE. The build plugin calls it.

import Foundation

/// The endings of the files that belong to the page.
let kinds: Set = ["html", "css", "js", "mjs", "json", "webmanifest", "svg", "txt", "yaml"]

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("embed-page: \(text)\n".utf8))
  exit(1)
}

/// Returns a raw multi-line literal, with as many `#` as the text needs.
func literal(_ text: String) -> String {
  var marks = "#"
  while text.contains("\"\(marks)") || text.contains("\\\(marks)") { marks += "#" }
  return "\(marks)\"\"\"\n\(text)\n\"\"\"\(marks)"
}

/// Returns an entity tag of the contents: FNV-1a over 64 bits, and the length.
func tag(_ bytes: Data) -> String {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return String(hash, radix: 16) + "-" + String(bytes.count, radix: 16)
}

func asset(_ name: String, at path: String) -> String {
  guard let bytes = FileManager.default.contents(atPath: path) else { fail("cannot read \(path)") }
  guard let text = String(data: bytes, encoding: .utf8) else { fail("\(path) is not UTF-8") }
  let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
  guard isPlain else { fail("\(path) has a control character; write it as an escape") }
  return """
        PageLiteral(
          name: "\(name)", tag: "\\"\(tag(bytes))\\"",
          text: \(literal(text))),

    """
}

let arguments = CommandLine.arguments
guard arguments.count == 4 else { fail("usage: embed-page OUTPUT PAGE INTERFACE") }
let (output, page, interface) = (arguments[1], arguments[2], arguments[3])

let names = (FileManager.default.enumerator(atPath: page)?.compactMap { $0 as? String } ?? [])
  .filter { kinds.contains(String($0.split(separator: ".").last ?? "")) }
  .sorted()
guard !names.isEmpty else { fail("no file of a page below \(page)") }

let source = """
  /// A file of the page that is built in.
  struct PageLiteral: Sendable {
    var name: String
    var tag: String
    var text: StaticString
  }

  /// The page, file by file.
  enum PageAssets {
    static let all: [PageLiteral] = [
  \(names.map { asset($0, at: page + "/" + $0) }.joined())\(asset("../openapi.yaml", at: interface))  ]
  }

  """
do {
  try source.write(toFile: output, atomically: true, encoding: .utf8)
} catch {
  fail("cannot write \(output): \(error)")
}
