import FoundationEssentials
import Platform

/// The account of all sessions: `.retake.journal` in the library, one JSON object a line.
///
/// Only appended to, one line in one write, and synced. A line that a power cut tore is no JSON
/// and is passed over; the next one begins on a line of its own.
struct SessionJournal: ~Copyable, @unchecked Sendable {
  private static let name = ".retake.journal"
  // A session has two lines of about two hundred bytes: years of sessions.
  private static let mostBytes = 64 << 20

  private let file: LineFile
  private let encoder: JSONEncoder

  private init(file: consuming LineFile) {
    self.file = file
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Where the journal of a library is.
  static func path(_ root: String) -> String { "\(root)/\(name)" }

  /// Opens or makes it.
  static func open(
    root: String, _ system: any SystemCalls
  ) throws(LibraryError) -> SessionJournal {
    SessionJournal(file: try LineFile.open(name, root: root, system))
  }

  /// Adds a line and waits until the disk has it.
  func append(_ record: SessionRecord) throws(LibraryError) {
    guard let line = try? encoder.encode(record) else { return }
    try file.append(Array(line))
  }

  /// Passes every whole line on, oldest first, and returns how many others there are.
  ///
  /// Needs no open library. A library without a journal has none. A line that says what no station
  /// writes counts as torn.
  static func read(
    root: String, _ system: any SystemCalls, _ body: (SessionRecord) -> Void
  ) throws(LibraryError) -> Int {
    let path = path(root)
    var torn = 0
    let decoder = JSONDecoder()
    do throws(SystemError) {
      try LineFile.read(name, root: root, limit: mostBytes, system) { line in
        guard line.contains(where: { $0 > 0x20 }) else { return }
        guard let record = try? decoder.decode(SessionRecord.self, from: Data(line)),
          record.isPossible
        else {
          torn += 1
          return
        }
        body(record)
      }
      return torn
    } catch {
      throw LibraryError(error, at: path)
    }
  }
}
