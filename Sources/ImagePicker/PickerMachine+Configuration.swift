extension PickerMachine {
  /// How long a review must have been on show before an accept counts, so that a double press never
  /// keeps an unseen photo.
  public static let guardTime: Duration = .milliseconds(800)

  /// How a picker behaves.
  ///
  /// Durations below zero are taken as zero.
  public struct Configuration: Equatable, Sendable {
    /// What happens when a review is not decided in time.
    public enum ReviewEnd: String, Hashable, Sendable, CaseIterable {
      /// The photo is kept.
      case accept
      /// The photo is thrown away.
      case cancel
    }

    /// From the press to the exposure; zero: the frame of the press.
    public var countdown: Duration = .seconds(3)
    /// How long a review is shown, at least ``guardTime``; zero: until `abandonment`.
    public var reviewTimeout: Duration = .seconds(30)
    /// What happens at the end of `reviewTimeout`; never at the end of `abandonment`, which cancels.
    public var reviewEnd: ReviewEnd = .cancel
    /// How many frames around the press a review offers, from 1, which is only the nearest, to
    /// ``ReviewFrames/limit``.
    public var reviewFrames = ReviewFrames.limit
    /// How long the live picture waits for a press; zero: until `abandonment`.
    public var liveTimeout: Duration = .seconds(60)
    /// When a guest who did nothing is taken to have left, where there is no shorter limit.
    ///
    /// The session is then cancelled. At least one second, so that no state is without an end.
    public var abandonment: Duration = .seconds(600)
    /// How long the camera and the still may take; the end of a movie may take four times as long.
    public var captureTimeout: Duration = .seconds(5)
    /// The longest movie, with what is from before the press.
    public var longestMovie: Duration = .seconds(10)
    /// When a save is called slow; the notice comes again each time this has passed.
    public var slowSave: Duration = .seconds(3)
    /// How long it may take to read what was chosen from a library.
    public var collectTimeout: Duration = .seconds(90)
    /// How long the end screens `finished` and `cancelled` stay.
    public var linger: Duration = .seconds(3)
    /// How long the end screen `failed` stays.
    public var failureLinger: Duration = .seconds(6)
    /// Whether a press in `idle` begins a session with `shutterRequest`.
    public var startsOnShutter = true
    /// Whether the shutter means accept during a review, for booths with one button.
    public var shutterAccepts = false
    /// What a session is for that a press began; its source is taken as the camera.
    public var shutterRequest = Request()

    /// Makes the default configuration.
    public init() {}
  }
}
