import Platform

/// What a bouncing contact means, as a value: edges with the kernel's dates go in, presses come out.
///
/// A press is dated by its first edge and reported once the lock-out after that is over and the
/// level has been verified, or the button was down for long enough in between. Contact time counts:
/// pulses of a disturbance that add up to less than ``Settings/minimum`` are no press, however many
/// of them there are. It has no clock:
/// the owner calls `check(isActive:at:)` when ``deadline`` has come. Edges that were handled late
/// give the same events as edges handled at once.
public struct ButtonDebouncer: Equatable, Sendable {
  /// How presses are told from noise.
  public struct Settings: Equatable, Sendable {
    /// The window after the first edge in which a contact may bounce.
    public var lockout = Duration.milliseconds(30)
    /// The contact time within the window that makes a press.
    public var minimum = Duration.milliseconds(10)
    /// A button that is down for longer is stuck.
    public var maximum = Duration.seconds(20)
    /// From when on a press is a long one.
    public var long = Duration.seconds(1)

    /// Makes the settings for a mechanical button.
    public init() {}

    /// Makes the settings for a mechanical button that is pressed once it made `contact`.
    ///
    /// The window has room for twice the contact time, and is never shorter than the usual one.
    public init(contact: Duration) {
      minimum = contact
      lockout = max(lockout, contact * 2)
    }

    /// For keys that a keyboard's own processor has debounced.
    public static let clean: Settings = {
      var settings = Settings()
      settings.lockout = .zero
      settings.minimum = .zero
      return settings
    }()
  }

  /// What happened.
  public enum Event: Equatable, Sendable {
    /// It went down, by the first edge.
    case pressed(MonotonicTime)
    /// It has been down for ``Settings/long``; the time is that of the press.
    case long(MonotonicTime)
    /// It went up again.
    case released(MonotonicTime, pressed: MonotonicTime)
    /// Something too short for a press.
    case glitch(MonotonicTime, Duration)
    /// It has been down for too long, or since it was first looked at: it is ignored until it is up.
    case stuck(since: MonotonicTime)
    /// It is no longer stuck.
    case freed(MonotonicTime)

    /// When what it tells of was decided by the button: the press's edge, or the release's.
    public var time: MonotonicTime {
      switch self {
      case .pressed(let time), .long(let time), .released(let time, _), .glitch(let time, _),
        .stuck(let time), .freed(let time):
        time
      }
    }
  }

  private enum Phase: Equatable {
    case up
    /// Down, until the level is verified.
    case goingDown
    case down
    /// Up, until the level is verified.
    case goingUp
  }

  /// How presses are told from noise.
  public let settings: Settings
  private var phase: Phase
  /// The first edge of the present press.
  private var press: MonotonicTime
  /// The first edge of the present change.
  private var change: MonotonicTime
  private var isActive: Bool
  /// The contact time since ``change``, up to the last edge.
  private var contact = Duration.zero
  /// When the level last became active, or inactive.
  private var levelSince: MonotonicTime
  /// Whether the window was begun once more for the present press.
  private var hasWaited = false
  private var lastEdge: MonotonicTime
  private var wasLong = false
  private var isStuck = false

  /// Makes one for a button whose level was just read.
  ///
  /// One that is down already is stuck until it has been up.
  public init(settings: Settings = Settings(), isActive: Bool, at time: MonotonicTime) {
    self.settings = settings
    self.isActive = isActive
    phase = isActive ? .down : .up
    isStuck = isActive
    (press, change, lastEdge, levelSince) = (time, time, time, time)
  }

  /// The level after the last edge.
  public var level: Bool { isActive }

  /// Whether it is down and ignored.
  public var isIgnored: Bool { isStuck }

  /// When `check(isActive:at:)` is due next; nil: not before the next edge.
  public var deadline: MonotonicTime? {
    switch phase {
    case .up: nil
    case .goingDown: change + window
    case .goingUp: change + settings.lockout
    case .down where isStuck: nil
    case .down where wasLong: press + settings.maximum
    case .down: press + min(settings.long, settings.maximum)
    }
  }

  /// One edge; they come in the order in which the kernel saw them.
  public mutating func edge(_ edge: GPIOEdge) -> [Event] {
    let time = max(edge.time, lastEdge)
    var events = settle(until: time)
    note(edge.isActive, at: time)
    if settings.lockout == .zero { events += settle(until: time) }
    return events
  }

  /// What is due at `time`, with the level as it is now; all earlier edges must have been given.
  ///
  /// `since` is when the level was first seen to be so, for one that no edge told of; by default
  /// `time`.
  public mutating func check(
    isActive: Bool, at time: MonotonicTime, since: MonotonicTime? = nil
  ) -> [Event] {
    let time = max(time, lastEdge)
    var events: [Event] = []
    if isActive != self.isActive {
      // Edges were lost: the kernel's queue holds only a few of a storm.
      if phase == .goingDown || phase == .goingUp {
        noteLevel(isActive, at: min(max(since ?? time, lastEdge), time))
        lastEdge = time
      } else {
        let since = min(max(since ?? time, lastEdge), time)
        events = settle(until: since)
        note(isActive, at: since)
      }
    }
    return events + settle(until: time)
  }

  private mutating func note(_ isActive: Bool, at time: MonotonicTime) {
    // Whatever the level was found to be: an edge says that there was a change.
    switch phase {
    case .up where settings.lockout > .zero || isActive:
      phase = .goingDown
      begin(at: time)
      self.isActive = isActive
    case .down where settings.lockout > .zero || !isActive:
      phase = .goingUp
      change = time
    default: break
    }
    noteLevel(isActive, at: time)
    lastEdge = time
  }

  /// Begins a press whose first edge is at `time`.
  private mutating func begin(at time: MonotonicTime) {
    (press, change, levelSince) = (time, time, time)
    contact = .zero
    hasWaited = false
  }

  /// Notes the level, and the contact time that ends with it.
  ///
  /// Contact that begins after a pause longer than contacts bounce, when there was not enough of it
  /// for a press, belongs to another press: the kernel tells of the last release's edges late when
  /// it is busy, and a disturbance may come before a press.
  private mutating func noteLevel(_ isActive: Bool, at time: MonotonicTime) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    if phase == .goingDown {
      if !isActive {
        contact += time - levelSince
      } else if contact < settings.minimum, time - levelSince > ButtonDebouncer.longestBounce {
        begin(at: time)
      }
    }
    levelSince = time
  }

  private static let longestBounce = Duration.milliseconds(10)

  // Never shorter than the contact that is asked for.
  private var window: Duration { max(settings.lockout, settings.minimum) }

  private mutating func settle(until time: MonotonicTime) -> [Event] {
    var events: [Event] = []
    while let due = deadline, due <= time {
      switch phase {
      case .up: return events
      case .goingDown: goneDown(&events)
      case .goingUp: goneUp(&events)
      case .down:
        if !wasLong, settings.long <= settings.maximum {
          wasLong = true
          events.append(.long(press))
        } else {
          isStuck = true
          events.append(.stuck(since: press))
        }
      }
    }
    return events
  }

  private mutating func goneDown(_ events: inout [Event]) {
    wasLong = false
    let due = change + window
    let length = isActive ? contact + (due - max(levelSince, change)) : contact
    guard isActive else {
      // Down and up again within the window: a quick finger, or noise.
      phase = .up
      events +=
        length >= settings.minimum
        ? [.pressed(press), .released(levelSince, pressed: press)] : [.glitch(press, length)]
      return
    }
    guard length >= settings.minimum else {
      // Down, but not for long enough yet: a press after noise, or the next pulse of the noise.
      if hasWaited { press = levelSince }
      hasWaited = true
      contact = .zero
      change = levelSince
      return
    }
    phase = .down
    events.append(.pressed(press))
  }

  private mutating func goneUp(_ events: inout [Event]) {
    guard !isActive else {
      phase = .down
      return
    }
    phase = .up
    events.append(isStuck ? .freed(change) : .released(change, pressed: press))
    isStuck = false
  }
}
