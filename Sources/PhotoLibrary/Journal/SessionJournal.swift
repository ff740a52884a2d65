import FoundationEssentials
import Platform

/// The journal of all sessions: `.retake.journal` in the library, one JSON object a line.
///
/// Each line is appended in one write and synced. A line that a power cut tore is no JSON and is
/// skipped; the next one begins on a line of its own.
struct SessionJournal: ~Copyable, @unchecked Sendable {
  private static let name = ".retake.journal"
  // A session has two lines of about two hundred bytes, so this is enough for years.
  private static let mostBytes = 64 << 20

  private let file: LineFile
  private let encoder: JSONEncoder

  private init(file: consuming LineFile) {
    self.file = file
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Returns the path of a library's journal.
  static func path(_ root: String) -> String { "\(root)/\(name)" }

  /// Opens or creates the journal.
  static func open(
    root: String, _ system: any SystemCalls
  ) throws(LibraryError) -> SessionJournal {
    SessionJournal(file: try LineFile.open(name, root: root, system))
  }

  /// Appends a line and blocks until the disk has it.
  func append(_ record: SessionRecord) throws(LibraryError) {
    guard let line = try? encoder.encode(record) else { return }
    try file.append(Array(line))
  }

  /// Calls `body` with every valid line, oldest first, and returns the number of other lines.
  ///
  /// The call needs no open library. A library without a journal has no lines. A line that no
  /// station writes counts as torn.
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
