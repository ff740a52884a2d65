import Platform

/// Something a person or a program asks of the station.
public enum TriggerAction: String, CaseIterable, Sendable {
  /// Take a photo.
  case shutter
  /// Begin a movie, or end the one that is recorded.
  case record
  /// Keep the photo under review.
  case accept
  /// Take another one instead.
  case retake
  /// Show the next of the frames that a review offers.
  case next
  /// Show the one before it.
  case previous
  /// End the session without a photo.
  case cancel
  /// Read the configuration again, between sessions.
  case reload
  /// Say how things stand; changes nothing.
  case status
  /// End the station.
  case quit
  /// Power the machine off, cleanly.
  case shutdown

  /// Those that another program may ask for, through the socket.
  ///
  /// A power-off wants a hand on the booth.
  public static let remote = allCases.filter { $0 != .shutdown }
}

/// One dated wish, whatever it came in by.
public struct TriggerEvent: Sendable {
  /// What moment `time` is.
  public enum Clock: String, Sendable {
    /// The kernel dated the input itself.
    case kernel
    /// The program took the time when it read the input.
    case arrival
  }

  /// What is asked.
  public var action: TriggerAction
  /// When, on CLOCK_MONOTONIC.
  public var time: MonotonicTime
  /// What moment `time` is.
  public var clock: Clock
  /// Where it came in, for the log: `terminal`, `signal`, `socket pid 812 uid 1000`.
  public var source: String

  /// Makes an event.
  public init(action: TriggerAction, time: MonotonicTime, clock: Clock, source: String) {
    self.action = action
    self.time = time
    self.clock = clock
    self.source = source
  }
}

/// What became of a trigger, for whoever waits for an answer.
public struct TriggerReply: Equatable, Sendable {
  /// Whether it did what was asked.
  public var isAccepted: Bool
  /// One line: what happened, or why not.
  ///
  /// For `status`, JSON.
  public var text: String

  /// Makes a reply.
  public init(isAccepted: Bool, text: String) {
    self.isAccepted = isAccepted
    self.text = text
  }
}

/// Takes triggers; called on the event loop, and answers once, at once or later, from any thread.
public typealias TriggerHandler =
  @Sendable (TriggerEvent, _ reply: @escaping @Sendable (TriggerReply) -> Void) -> Void
