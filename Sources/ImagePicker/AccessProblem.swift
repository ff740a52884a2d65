/// The reason why a resource cannot be used, with the same words for the page, the doctor, the log
/// and the thrown error.
public struct AccessProblem: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The party that wants access: the user that the station runs as, or the station itself.
  public var subject: String
  /// The camera, directory or GPIO chip that cannot be used, by its name or path.
  public var object: String
  /// The system's reason for the refusal, in words.
  public var cause: String
  /// The remedy for the operator: the exact command, or the file and its line.
  public var fix: String

  // The names of the members in JSON are part of the API.
  private enum CodingKeys: String, CodingKey {
    case subject = "who"
    case object = "what"
    case cause = "why"
    case fix
  }

  /// Creates a description of why `subject` cannot use `object`.
  public init(subject: String, object: String, cause: String, fix: String) {
    self.subject = subject
    self.object = object
    self.cause = cause
    self.fix = fix
  }

  /// The problem without the fix.
  public var message: String { "\(subject) cannot use \(object): \(cause)" }

  /// One line: the problem and the fix.
  public var description: String { "\(message). Fix: \(fix)" }
}
