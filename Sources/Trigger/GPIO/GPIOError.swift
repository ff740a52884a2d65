import Platform

/// The reason why a line cannot be used, with the facts of its fix.
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
  /// The name of the program that uses the line; nil if it is unknown.
  public var holder: String?
  /// The group that may open the chip; nil if there is none.
  public var group: String?
  /// The call that failed.
  public var cause: SystemError?

  /// Creates an error.
  public init(
    _ code: Code, address: LineAddress, known: [String] = [], holder: String? = nil,
    group: String? = nil, cause: SystemError? = nil
  ) {
    self.code = code
    self.address = address
    self.known = known
    self.holder = holder
    self.group = group
    self.cause = cause
  }

  /// The problem, in words that hold for any program.
  public var message: String {
    switch code {
    case .noChip:
      return known.isEmpty
        ? "there is no GPIO chip to open for \(address)"
        : "there is no GPIO chip '\(address.chip ?? "")'; there are \(known.joined(separator: ", "))"
    case .noLine:
      let nearest = GPIOError.nearest(to: address, among: known).joined(separator: ", ")
      return "there is no GPIO line \(address)"
        + (nearest.isEmpty ? "" : "; the nearest are \(nearest)")
    case .ambiguous: return "\(address) is on several chips"
    case .busy:
      return "the line \(address) is in use by \(holder.map { "'\($0)'" } ?? "another program")"
    case .denied: return "you may not open \(cause?.path ?? "the GPIO chip") for \(address)"
    case .gone: return "the chip of \(address) is gone; it is waited for"
    case .failed: return "the line \(address) cannot be used: \(cause.map { "\($0)" } ?? "unknown")"
    }
  }

  /// The problem.
  public var description: String { message }

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
