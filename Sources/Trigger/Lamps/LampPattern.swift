import Platform

/// The function of a lamp or a relay.
public enum LampRole: String, CaseIterable, Sendable {
  /// Lit while a press would take a photo.
  case ready
  /// Blinks until the exposure, faster and faster.
  case countdown
  /// Lit around the exposure.
  case flash
  /// Lit once a photo is durable, while the guest is told so.
  case saved
  /// Blinks after a failure; lit while a problem prevents photos.
  case error
}

/// The station's state as far as lamps show it.
public struct LampScene: Equatable, Sendable {
  /// The phase of the station.
  public enum Phase: Equatable, Sendable {
    /// The station is off or not ready yet.
    case off
    /// A press would take a photo.
    case ready
    /// A problem prevents photos.
    case blocked
    /// The station serves a guest, in a phase that no lamp shows.
    case busy
    /// A photo is durable.
    case saved
    /// The session failed at the given time.
    case failed(since: MonotonicTime)
  }

  /// The phase of the station.
  public var phase: Phase
  /// The present or last exposure.
  public var exposure: Exposure?
  /// Whether flashes may be lit.
  public var isFlashAllowed = true

  /// An exposure.
  public struct Exposure: Equatable, Sendable {
    /// The time of the request.
    public var asked: MonotonicTime
    /// The time of the exposure.
    public var moment: MonotonicTime

    /// Creates an exposure.
    public init(asked: MonotonicTime, moment: MonotonicTime) {
      self.asked = asked
      self.moment = moment
    }
  }

  /// Creates a scene.
  public init(_ phase: Phase, exposure: Exposure? = nil) {
    self.phase = phase
    self.exposure = exposure
  }
}

/// The pattern of a lamp's role: a pure function of scene and time.
public struct LampPattern: Equatable, Sendable {
  /// The role.
  public var role: LampRole
  /// The time before the exposure at which a flash is lit.
  public var lead: Duration
  /// The time after the exposure for which a flash stays lit.
  public var hold: Duration

  /// Creates the pattern of a role.
  public init(
    _ role: LampRole, lead: Duration = .milliseconds(100), hold: Duration = .milliseconds(150)
  ) {
    self.role = role
    self.lead = lead
    self.hold = hold
  }

  /// Returns whether the lamp is lit at `time`, and until when; nil if that holds as long as the
  /// scene.
  public func state(
    in scene: LampScene, at time: MonotonicTime
  ) -> (isLit: Bool, until: MonotonicTime?) {
    guard scene.phase != .off else { return (false, nil) }
    switch role {
    case .ready: return (scene.phase == .ready, nil)
    case .saved: return (scene.phase == .saved, nil)
    case .error:
      switch scene.phase {
      case .blocked: return (true, nil)
      case .failed(let since): return blink(since: since, half: .milliseconds(125), at: time)
      default: return (false, nil)
      }
    case .countdown: return countdown(scene, time)
    case .flash: return flash(scene, time)
    }
  }

  private func countdown(
    _ scene: LampScene, _ time: MonotonicTime
  ) -> (isLit: Bool, until: MonotonicTime?) {
    guard scene.phase == .busy, let moment = scene.exposure?.moment, time < moment else {
      return (false, nil)
    }
    let left = moment - time
    // Each period divides the one before, so that the rhythm is regular; the last beat before the
    // exposure is lit. The page's discs.js has the same beats.
    let half: Duration =
      switch left {
      case ...Duration.seconds(1): .microseconds(62_500)
      case ...Duration.seconds(2): .milliseconds(125)
      case ...Duration.seconds(3): .milliseconds(250)
      default: .milliseconds(500)
      }
    let beats = (left.nanoseconds - 1) / half.nanoseconds
    return (beats % 2 == 0, moment - .nanoseconds(beats * half.nanoseconds))
  }

  private func flash(
    _ scene: LampScene, _ time: MonotonicTime
  ) -> (isLit: Bool, until: MonotonicTime?) {
    // A flash that came late would light the frame after the photo's.
    guard scene.isFlashAllowed, let exposure = scene.exposure,
      exposure.asked <= exposure.moment - lead
    else { return (false, nil) }
    let (begin, end) = (exposure.moment - lead, exposure.moment + hold)
    if time < begin { return (false, begin) }
    return time < end ? (true, end) : (false, nil)
  }

  private func blink(
    since begin: MonotonicTime, half: Duration, at time: MonotonicTime
  ) -> (isLit: Bool, until: MonotonicTime?) {
    let beats = max(0, (time - begin).nanoseconds) / half.nanoseconds
    return (beats % 2 == 0, begin + .nanoseconds((beats + 1) * half.nanoseconds))
  }
}
