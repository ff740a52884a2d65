/// Why something cannot be used, told once for the page, the doctor, the log and the thrown error.
public struct AccessProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Who wants access: the user that the station runs as, or the station itself.
  public var who: String
  /// What is to be used: the camera, the directory or the chip, by its name or path.
  public var what: String
  /// Why it cannot be: the system's reason, in words.
  public var why: String
  /// What the operator does about it: the exact command, or the file and its line.
  public var fix: String

  /// Makes the problem of `who` with `what`.
  public init(who: String, what: String, why: String, fix: String) {
    self.who = who
    self.what = what
    self.why = why
    self.fix = fix
  }

  /// One line: who, what, why and the fix.
  public var description: String { "\(who) cannot use \(what): \(why). Fix: \(fix)" }
}
