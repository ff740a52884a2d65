import Platform

/// A request of a person or a program to the station.
public enum TriggerAction: String, CaseIterable, Sendable {
  /// Takes a photo.
  case shutter
  /// Starts a movie, or ends the present one.
  case record
  /// Keeps the photo under review.
  case accept
  /// Discards the photo and takes another one.
  case retake
  /// Shows the next of the frames that a review offers.
  case next
  /// Shows the previous one of the frames that a review offers.
  case previous
  /// Ends the session without a photo.
  case cancel
  /// Reads the configuration again, between sessions.
  case reload
  /// Returns the station's status and changes nothing.
  case status
  /// Ends the station.
  case quit
  /// Powers the machine off cleanly.
  case shutdown

  /// The actions that another program may request through the socket.
  ///
  /// A power-off requires a person at the booth.
  public static let remote = allCases.filter { $0 != .shutdown }
}

/// A dated request, from any source.
public struct TriggerEvent: Sendable {
  /// The origin of `time`.
  public enum Clock: String, Sendable {
    /// The kernel dated the input itself.
    case kernel
    /// The program took the time when it read the input.
    case arrival
  }

  /// The requested action.
  public var action: TriggerAction
  /// The time of the request, on CLOCK_MONOTONIC.
  public var time: MonotonicTime
  /// The origin of `time`.
  public var clock: Clock
  /// The source for the log: `terminal`, `signal`, `socket pid 812 uid 1000`.
  public var source: String

  /// Creates an event.
  public init(action: TriggerAction, time: MonotonicTime, clock: Clock, source: String) {
    self.action = action
    self.time = time
    self.clock = clock
    self.source = source
  }
}

/// The outcome of a trigger, for a caller that waits for an answer.
public struct TriggerReply: Equatable, Sendable {
  /// Whether the station did what was requested.
  public var isAccepted: Bool
  /// One line with the result, or with the reason of the refusal.
  ///
  /// For `status` the line is JSON.
  public var text: String

  /// Creates a reply.
  public init(isAccepted: Bool, text: String) {
    self.isAccepted = isAccepted
    self.text = text
  }
}

/// Handles a trigger; called on the event loop.
///
/// The handler calls `reply` once, at once or later, from any thread.
public typealias TriggerHandler =
  @Sendable (TriggerEvent, _ reply: @escaping @Sendable (TriggerReply) -> Void) -> Void
