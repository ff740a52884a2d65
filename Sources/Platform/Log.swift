import Glibc
import Synchronization

/// What the program tells its operator, line by line.
///
/// One sink for the whole process: standard error by default, which is the journal, with the fields,
/// when systemd connected it. Lines are readable alone; fields carry what a program would look for.
/// Never a picture, never a secret. Safe from any thread.
public struct Log: Sendable {
  /// How much a line matters, with the numbers of `syslog(3)`.
  public enum Level: Int, Comparable, Sendable, CaseIterable {
    /// Something a guest or the operator loses by.
    case error = 3
    /// Something that wants a look.
    case warning = 4
    /// Something worth knowing in normal operation.
    case notice = 5
    /// What happens, step by step.
    case info = 6
    /// For whoever looks for a fault.
    case debug = 7

    /// Whether `lhs` matters more.
    public static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Where lines go: level, category, text, fields.
  public typealias Sink = @Sendable (Level, String, String, [(String, String)]) -> Void

  private struct Shared: Sendable {
    var level = Level.notice
    var sink: Sink = Log.standardError
  }
  private static let shared = Mutex(Shared())

  /// The part of the program that speaks: `capture`, `library`.
  public let category: String

  /// Makes the voice of one part of the program.
  public init(_ category: String) { self.category = category }

  /// Sets what is passed on: lines at `level` and those that matter more.
  public static func setLevel(_ level: Level) { shared.withLock { $0.level = level } }

  /// Sends all lines to `sink` from now on.
  public static func setSink(_ sink: @escaping Sink) { shared.withLock { $0.sink = sink } }

  /// Something a guest or the operator loses by.
  public func error(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.error, text, fields)
  }
  /// Something that wants a look.
  public func warning(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.warning, text, fields)
  }
  /// Something worth knowing in normal operation.
  public func notice(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.notice, text, fields)
  }
  /// What happens, step by step.
  public func info(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.info, text, fields)
  }
  /// For whoever looks for a fault.
  public func debug(_ text: @autoclosure () -> String, _ fields: [(String, String)] = []) {
    write(.debug, text, fields)
  }

  private func write(_ level: Level, _ text: () -> String, _ fields: [(String, String)]) {
    // The sink is called outside the lock: it writes, and may block.
    let (wanted, sink) = Log.shared.withLock { (level <= $0.level, $0.sink) }
    if wanted { sink(level, category, text(), fields) }
  }

  private static let underSystemd = getenv("JOURNAL_STREAM") != nil

  /// Writes one line to standard error, in one call, so that threads do not mix.
  ///
  /// Where that is the journal, it gets the line with its fields. A pipe on the way to it gets the
  /// priority's prefix of `sd-daemon(3)`.
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
