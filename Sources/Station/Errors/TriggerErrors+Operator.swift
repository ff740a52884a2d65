import Platform
import Trigger

// The operator's words about buttons and lamps. The errors of `Trigger` hold the facts.

extension GPIOError: OperatorError {
  /// The remedy in terms of a station's configuration and commands; nil if there is none.
  public var fix: String? {
    switch code {
    case .noChip:
      known.isEmpty ? "'retake buttons' lists chips and what is wrong" : nil
    case .noLine: "'retake buttons' lists them"
    case .ambiguous: "set 'chip' to one of \(known.joined(separator: ", "))"
    case .busy: "end that, or use another line"
    case .denied:
      group.map(joining) ?? "use sudo, or a udev rule that gives it a group"
    case .gone, .failed: nil
    }
  }
}

extension KeyError: OperatorError {
  /// The remedy in terms of a station's configuration and commands; nil if there is none.
  public var fix: String? {
    switch code {
    case .noDevice: "'retake buttons' lists those there are"
    case .busy: "end that"
    case .denied: joining(group ?? "input")
    case .gone, .failed: nil
    }
  }
}

private func joining(_ group: String) -> String {
  "add the user to the group \(group): sudo usermod -aG \(group) USER"
}

extension ButtonProblem {
  /// The problem and its remedy, for the operator.
  var operatorMessage: String {
    switch self {
    case .notStarted: description
    case .line(let error): error.operatorMessage
    case .device(let error): error.operatorMessage
    }
  }
}
