extension PickerMachine {
  /// The time that a review must have been on the screen before an accept counts, so that a double
  /// press never keeps an unseen photo.
  public static let guardTime: Duration = .milliseconds(800)

  /// The settings of a picker.
  ///
  /// Negative durations count as zero.
  public struct Configuration: Equatable, Sendable {
    /// The action at the end of `reviewTimeout`.
    public enum ReviewEnd: String, Hashable, Sendable, CaseIterable {
      /// The photo is kept.
      case accept
      /// The photo is discarded.
      case cancel
    }

    /// The time from the press to the exposure; zero takes the frame of the press.
    public var countdown: Duration = .seconds(3)
    /// The maximum time that a review is shown, at least ``guardTime``; zero stands for
    /// `abandonment`.
    public var reviewTimeout: Duration = .seconds(30)
    /// The action at the end of `reviewTimeout`; the end of `abandonment` always cancels.
    public var reviewEnd: ReviewEnd = .cancel
    /// The number of frames around the press that a review offers, from 1 (only the nearest) to
    /// ``ReviewFrames/limit``.
    public var reviewFrames = ReviewFrames.limit
    /// The maximum time that the live picture waits for a press; zero stands for `abandonment`.
    public var liveTimeout: Duration = .seconds(60)
    /// The time without input after which the guest is taken to have left, in states without a
    /// shorter limit.
    ///
    /// The session is then cancelled. The machine uses at least one second.
    public var abandonment: Duration = .seconds(600)
    /// The maximum time for the exposure and its still; finishing a movie may take four times as
    /// long.
    public var captureTimeout: Duration = .seconds(5)
    /// The maximum movie duration, including the frames from before the press.
    public var longestMovie: Duration = .seconds(10)
    /// The time after which a save counts as slow; the notice is repeated at this interval.
    public var slowSave: Duration = .seconds(3)
    /// The maximum time for reading the items that were chosen from a library.
    public var collectTimeout: Duration = .seconds(90)
    /// The time that the end screens `finished` and `cancelled` stay.
    public var linger: Duration = .seconds(3)
    /// The time that the end screen `failed` stays.
    public var failureLinger: Duration = .seconds(6)
    /// Whether a press in `idle` begins a session with `shutterRequest`.
    public var startsOnShutter = true
    /// Whether the shutter accepts the photo during a review, for booths with one button.
    public var shutterAccepts = false
    /// The request of a session that begins with a press; its source is always the camera.
    public var shutterRequest = Request()

    /// Creates the default configuration.
    public init() {}
  }
}
