/// One line of the journal: that a session began, or how it ended.
///
/// No picture and no name is in it.
public struct SessionRecord: Sendable, Hashable, Codable {
  /// What the line tells.
  public enum Event: String, Sendable, Codable {
    /// A press began a session.
    case began
    /// The session is over.
    case ended
    /// A press began nothing.
    case refused
  }

  /// How a session ended.
  public enum Outcome: String, Sendable, Codable {
    /// With a photo that is durable.
    case saved
    /// Somebody, or the time, ended it without a photo.
    case cancelled
    /// Something did not work.
    case failed
  }

  /// Who decided.
  public enum Decider: String, Sendable, Codable {
    /// Whoever stood there.
    case guest
    /// The end of the review's time.
    case timeout
  }

  /// What the line tells.
  public var event: Event
  /// One run of the station; sessions are counted anew in each.
  public var run: String
  /// The session's number in its run; nil where none began.
  public var session: UInt64?
  /// When, by the clock of then.
  ///
  /// Unit: milliseconds since 1970.
  public var time: Int64
  /// When, since the machine was started.
  ///
  /// Unit: milliseconds of CLOCK_MONOTONIC.
  public var uptime: Int64
  /// How it ended; nil in other lines.
  public var outcome: Outcome?
  /// Who accepted or cancelled; nil where nobody did.
  public var by: Decider?
  /// How often the photo was taken again.
  public var retakes: Int?
  /// How much later than the wanted moment the saved frame was taken.
  ///
  /// Unit: milliseconds.
  public var delta: Double?
  /// What was in the way: the name of the reason.
  public var reason: String?

  /// Makes a line.
  public init(event: Event, run: String, session: UInt64?, time: Int64, uptime: Int64) {
    self.event = event
    self.run = run
    self.session = session
    self.time = time
    self.uptime = uptime
  }

  /// Whether a station can have written it: the limits of what is read from the journal.
  var isPossible: Bool {
    guard run.utf8.count <= 64, (0...7_258_118_400_000).contains(time), uptime >= 0 else {
      return false
    }
    // More than anybody has patience for, and far from what cannot be added up.
    guard (0...100_000).contains(retakes ?? 0), (delta ?? 0).magnitude < 1e12 else { return false }
    guard let reason else { return true }
    return (1...64).contains(reason.utf8.count)
      && reason.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}
