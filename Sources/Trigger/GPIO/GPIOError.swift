import Platform

/// The reason why a line cannot be used, with one sentence that names the fix.
public struct GPIOError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Code: String, Sendable {
    /// No chip has that label.
    case noChip = "no-chip"
    /// The chip has no such line.
    case noLine = "no-line"
    /// Several chips have a line of that name.
    case ambiguous
    /// Another program uses the line.
    case busy
    /// The user has no permission to open the chip.
    case denied
    /// The chip went away.
    case gone
    /// The kernel refused the request.
    case failed
  }

  /// The kind of the error.
  public var code: Code
  /// The requested line.
  public var address: LineAddress
  /// Existing names, one of which may have been meant.
  public var known: [String]
  /// The name of the line's user, or of the group that may open the chip.
  public var who: String?
  /// The call that failed.
  public var cause: SystemError?

  /// Creates an error.
  public init(
    _ code: Code, address: LineAddress, known: [String] = [], who: String? = nil,
    cause: SystemError? = nil
  ) {
    self.code = code
    self.address = address
    self.known = known
    self.who = who
    self.cause = cause
  }

  /// One sentence with the problem and its fix.
  public var description: String {
    let nearest = GPIOError.nearest(to: address, among: known).joined(separator: ", ")
    let hint = nearest.isEmpty ? "" : "; the nearest are \(nearest)"
    switch code {
    case .noChip:
      return known.isEmpty
        ? "there is no GPIO chip to open for \(address); 'retake buttons' lists chips and what is wrong"
        : "there is no GPIO chip '\(address.chip ?? "")'; there are \(known.joined(separator: ", "))"
    case .noLine: return "there is no GPIO line \(address)\(hint); 'retake buttons' lists them"
    case .ambiguous:
      return "\(address) is on several chips; set 'chip' to one of \(known.joined(separator: ", "))"
    case .busy:
      return
        "the line \(address) is in use by \(who.map { "'\($0)'" } ?? "another program"); end that, or use another line"
    case .denied:
      let fix = who.map { "add the user to the group \($0): sudo usermod -aG \($0) USER" }
      return
        "you may not open \(cause?.path ?? "the GPIO chip") for \(address); \(fix ?? "use sudo, or a udev rule that gives it a group")"
    case .gone: return "the chip of \(address) is gone; it is waited for"
    case .failed: return "the line \(address) cannot be used: \(cause.map { "\($0)" } ?? "unknown")"
    }
  }

  /// Returns the known names that are most similar to the requested one, up to three.
  static func nearest(to address: LineAddress, among known: [String]) -> [String] {
    guard case .name(let name) = address.line, !known.isEmpty else { return [] }
    let ranked = known.map { (name: $0, score: unlikeness(name, $0)) }
    return ranked.filter { $0.score <= max(3, name.count / 2) }
      .sorted { ($0.score, $0.name.count, $0.name) < ($1.score, $1.name.count, $1.name) }
      .prefix(3).map(\.name)
  }

  /// Returns the edit distance of two names, ignoring case.
  private static func unlikeness(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first.lowercased().prefix(64)), Array(second.lowercased().prefix(64)))
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        row.append(min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1)))
      }
      last = row
    }
    return last[b.count]
  }
}
