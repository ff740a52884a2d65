/// An error whose remedy for the operator of a station is apart from its message.
public protocol OperatorError: Error {
  /// The problem, in words that hold for any program.
  var message: String { get }
  /// The remedy in terms of a station's configuration and commands; nil if there is none.
  var fix: String? { get }
}

extension OperatorError {
  /// The message and the remedy in one sentence, for the operator of a station.
  public var operatorMessage: String { fix.map { "\(message); \($0)" } ?? message }
}
