/// The shape of the errors that people read: a kind for programs, and words in two parts.
///
/// A module states the problem. The remedy stands apart, so that each boundary (terminal, log, page,
/// picker) joins the two in its own way, and none of them takes a sentence apart.
public protocol OperatorError: Error, CustomStringConvertible {
  /// The kinds of the error.
  associatedtype Code: Equatable, Sendable
  /// A failed system call, a library's text, or another error.
  associatedtype Cause
  /// The kind of the error, for programs.
  var code: Code { get }
  /// The problem, in words that hold for any program.
  var message: String { get }
  /// The remedy in terms of a station's configuration and commands; nil if there is none.
  var fix: String? { get }
  /// The underlying failure; nil if there was none.
  var cause: Cause? { get }
}

extension OperatorError {
  /// The message and the remedy in one sentence, for the operator of a station.
  public var operatorMessage: String { fix.map { "\(message); \($0)" } ?? message }

  /// The message, and the cause in brackets.
  public var description: String { cause.map { "\(message) [\($0)]" } ?? message }
}
