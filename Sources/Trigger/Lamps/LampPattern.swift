import Platform

/// What a lamp or a relay shows.
public enum LampRole: String, CaseIterable, Sendable {
  /// Lit while a press would take a photo.
  case ready
  /// Blinks towards the shot, faster and faster.
  case countdown
  /// Lit around the exposure.
  case flash
  /// Lit once a photo is durable, as long as the guest is told so.
  case saved
  /// Blinks after a failure; lit as long as something is in the way of photos.
  case error
}

/// What there is to show, as far as lamps are concerned.
public struct LampScene: Equatable, Sendable {
  /// What the station is doing.
  public enum Phase: Equatable, Sendable {
    /// The station is off, or not yet there.
    case off
    /// A press would take a photo.
    case ready
    /// Something is in the way of photos.
    case blocked
    /// Somebody is being served; nothing of its own to show.
    case busy
    /// A photo is durable.
    case saved
    /// It did not work, since then.
    case failed(since: MonotonicTime)
  }

  /// What the station is doing.
  public var phase: Phase
  /// The present or last exposure: when it was asked for, and its moment.
  public var exposure: Exposure?
  /// Whether flashes may be lit.
  public var isFlashAllowed = true

  /// An exposure.
  public struct Exposure: Equatable, Sendable {
    /// When it was asked for.
    public var asked: MonotonicTime
    /// When it is.
    public var moment: MonotonicTime

    /// Makes an exposure.
    public init(asked: MonotonicTime, moment: MonotonicTime) {
      self.asked = asked
      self.moment = moment
    }
  }

  /// Makes a scene.
  public init(_ phase: Phase, exposure: Exposure? = nil) {
    self.phase = phase
    self.exposure = exposure
  }
}

/// When a lamp of a role is lit: a function of scene and time, and nothing else.
public struct LampPattern: Equatable, Sendable {
  /// The role.
  public var role: LampRole
  /// For a flash, how long before the moment it is lit.
  public var lead: Duration
  /// For a flash, how long after the moment it stays lit.
  public var hold: Duration

  /// Makes the pattern of a role.
  public init(
    _ role: LampRole, lead: Duration = .milliseconds(100), hold: Duration = .milliseconds(150)
  ) {
    self.role = role
    self.lead = lead
    self.hold = hold
  }

  /// Whether it is lit at `time`, and until when that stays so; nil: as long as the scene.
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
    // Each divides the one before, so the beat never stumbles; the last beat before the shot is lit.
    // The page's discs.js has the same beats.
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
    // A flash that could only come late would light the frame after the photo's.
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
