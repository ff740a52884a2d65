import Glibc
import Synchronization

/// The program's messages to its operator, line by line.
///
/// The process has a single sink: standard error by default, which is the journal, with the fields,
/// if systemd connected it. Lines are readable alone; fields carry data for programs. A line never
/// contains a picture or a secret. Safe from any thread.
public struct Log: Sendable {
  /// The importance of a line, with the numbers of `syslog(3)`.
  public enum Level: Int, Comparable, Sendable, CaseIterable {
    /// A guest or the operator loses something.
    case error = 3
    /// The operator should look at something.
    case warning = 4
    /// An important event of normal operation.
    case notice = 5
    /// A step of normal operation.
    case info = 6
    /// A detail for the search for a fault.
    case debug = 7

    /// Returns whether `lhs` is more important.
    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The destination of lines: level, category, text, fields.
  public typealias Sink = @Sendable (Level, String, String, [(String, String)]) -> Void

  private struct Shared: Sendable {
    var level = Level.notice
    var sink: Sink = Log.standardError
  }
  private static let shared = Mutex(Shared())

  /// The part of the program that writes the lines, such as `capture` or `library`.
  public let category: String

  /// Creates the log of one part of the program.
  public init(_ category: String) { self.category = category }

  /// Sets the least important level of lines that are passed on.
  public static func setLevel(_ level: Level) { shared.withLock { $0.level = level } }

  /// Sends all lines to `sink` from now on.
  public static func setSink(_ sink: @escaping Sink) { shared.withLock { $0.sink = sink } }

  /// Writes a line about a loss for a guest or the operator.
  public func error(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.error, text, fields)
  }
  /// Writes a line about something that the operator should look at.
  public func warning(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.warning, text, fields)
  }
  /// Writes a line about an important event of normal operation.
  public func notice(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.notice, text, fields)
  }
  /// Writes a line about a step of normal operation.
  public func info(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.info, text, fields)
  }
  /// Writes a line with a detail for the search for a fault.
  public func debug(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.debug, text, fields)
  }

  private func write(_ level: Level, _ text: () -> String, _ fields: [(String, String)]) {
    // The sink is called outside the lock, because it writes and may block.
    let (wanted, sink) = Log.shared.withLock { (level <= $0.level, $0.sink) }
    if wanted { sink(level, category, text(), fields) }
  }

  private static let underSystemd = getenv("JOURNAL_STREAM") != nil

  /// Writes one line to standard error in one call, so that the lines of threads do not mix.
  ///
  /// If standard error is the journal, the line is sent with its fields. If a pipe leads to the
  /// journal, the line gets the priority's prefix of `sd-daemon(3)`.
  @Sendable public static func standardError(
    _ level: Level, _ category: String, _ text: String, _ fields: [(String, String)]
  ) {
    if standardErrorIsJournal, sendToJournal(journalFields(level, category, text, fields)) {
      return
    }
    var line = underSystemd ? "<\(level.rawValue)>" : "retake: "
    line += text.plain
    for (key, value) in fields { line += " \(key)=\(value.plain)" }
    line += "\n"
    line.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
