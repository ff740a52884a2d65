/// The reason why a resource cannot be used, with the same words for the page, the doctor, the log
/// and the thrown error.
public struct AccessProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The party that wants access: the user that the station runs as, or the station itself.
  public var who: String
  /// The camera, directory or GPIO chip that cannot be used, by its name or path.
  public var what: String
  /// The system's reason for the refusal, in words.
  public var why: String
  /// The remedy for the operator: the exact command, or the file and its line.
  public var fix: String

  /// Creates a description of why `who` cannot use `what`.
  public init(who: String, what: String, why: String, fix: String) {
    self.who = who
    self.what = what
    self.why = why
    self.fix = fix
  }

  /// One line: who, what, why and the fix.
  public var description: String { "\(who) cannot use \(what): \(why). Fix: \(fix)" }
}
