/// One line of the journal: the beginning or the end of a session, or a refused press.
///
/// The line contains no picture and no name.
public struct SessionRecord: Sendable, Hashable, Codable {
  /// The kind of the event.
  public enum Event: String, Sendable, Codable {
    /// A press began a session.
    case began
    /// The session ended.
    case ended
    /// A press was refused.
    case refused
  }

  /// How a session ended.
  public enum Outcome: String, Sendable, Codable {
    /// The session ended with a durable photo.
    case saved
    /// The guest, or the timeout, ended the session without a photo.
    case cancelled
    /// The session failed.
    case failed
  }

  /// The cause of the decision.
  public enum Decider: String, Sendable, Codable {
    /// The person at the booth.
    case guest
    /// The end of the review's time.
    case timeout
  }

  /// The kind of the event.
  public var event: Event
  /// The name of the station's run; sessions are numbered from the start of each run.
  public var run: String
  /// The session's number in its run; nil if none began.
  public var session: UInt64?
  /// The time of the event, by the clock of that moment.
  ///
  /// Unit: milliseconds since 1970.
  public var time: Int64
  /// The time of the event since the start of the machine.
  ///
  /// Unit: milliseconds of CLOCK_MONOTONIC.
  public var uptime: Int64
  /// The outcome of the session; nil in other lines.
  public var outcome: Outcome?
  /// The cause of accepting or cancelling; nil if there was no decision.
  public var by: Decider?
  /// The number of retakes.
  public var retakes: Int?
  /// The delay from the wanted moment to the saved frame.
  ///
  /// Unit: milliseconds.
  public var delta: Double?
  /// The name of the reason for a refusal or a failure.
  public var reason: String?

  /// Creates a line.
  public init(event: Event, run: String, session: UInt64?, time: Int64, uptime: Int64) {
    self.event = event
    self.run = run
    self.session = session
    self.time = time
    self.uptime = uptime
  }

  /// Whether a station can have written the line; the values are within limits.
  var isPossible: Bool {
    guard run.utf8.count <= 64, (0...7_258_118_400_000).contains(time), uptime >= 0 else {
      return false
    }
    // The limits exceed every real session, and sums of such values cannot overflow.
    guard (0...100_000).contains(retakes ?? 0), (delta ?? 0).magnitude < 1e12 else { return false }
    guard let reason else { return true }
    return (1...64).contains(reason.utf8.count)
      && reason.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}
