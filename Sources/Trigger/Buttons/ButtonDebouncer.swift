import Platform

/// The debouncing of a contact, as a value: edges with the kernel's dates go in, presses come out.
///
/// The date of a press is that of its first edge. The press is reported after the lock-out, once
/// its level has been verified, or once the contact time in between was long enough. A disturbance
/// whose pulses add up to less than ``Settings/minimum`` is no press, however many pulses there
/// are. The debouncer has no clock, so its owner calls `check(isActive:at:)` at ``deadline``. Edges
/// that are handled late give the same events as edges that are handled at once.
public struct ButtonDebouncer: Equatable, Sendable {
  /// The limits that distinguish presses from noise.
  public struct Settings: Equatable, Sendable {
    /// The window after the first edge in which a contact may bounce.
    public var lockout = Duration.milliseconds(30)
    /// The contact time within the window that makes a press.
    public var minimum = Duration.milliseconds(10)
    /// The time after which a button that is down counts as stuck.
    public var maximum = Duration.seconds(20)
    /// The time after which a press counts as long.
    public var long = Duration.seconds(1)

    /// Creates the settings for a mechanical button.
    public init() {}

    /// Creates the settings for a mechanical button that needs `contact` of contact time.
    ///
    /// The window is at least twice the contact time, and at least the default one.
    public init(contact: Duration) {
      minimum = contact
      lockout = max(lockout, contact * 2)
    }

    /// The settings for keys that a keyboard's own processor has debounced.
    public static let clean: Settings = {
      var settings = Settings()
      settings.lockout = .zero
      settings.minimum = .zero
      return settings
    }()
  }

  /// An event of the button.
  public enum Event: Equatable, Sendable {
    /// The button went down, at its first edge.
    case pressed(MonotonicTime)
    /// The button has been down for ``Settings/long``; the time is that of the press.
    case long(MonotonicTime)
    /// The button went up.
    case released(MonotonicTime, pressed: MonotonicTime)
    /// The contact was too short for a press.
    case glitch(MonotonicTime, Duration)
    /// The button has been down for too long, or since its level was first read, and is ignored
    /// until it is up.
    case stuck(since: MonotonicTime)
    /// The button is no longer stuck.
    case freed(MonotonicTime)

    /// The time of the edge that decided the event: the press's or the release's.
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
    /// The button went down, and its level is not verified yet.
    case goingDown
    case down
    /// The button went up, and its level is not verified yet.
    case goingUp
  }

  /// The limits that distinguish presses from noise.
  public let settings: Settings
  private var phase: Phase
  /// The first edge of the present press.
  private var press: MonotonicTime
  /// The first edge of the present change.
  private var change: MonotonicTime
  private var isActive: Bool
  /// The contact time since ``change``, up to the last edge.
  private var contact = Duration.zero
  /// The time of the last change of the level.
  private var levelSince: MonotonicTime
  /// Whether the window has started a second time for the present press.
  private var hasWaited = false
  private var lastEdge: MonotonicTime
  private var wasLong = false
  private var isStuck = false

  /// Creates a debouncer for a button whose level was just read.
  ///
  /// A button that is down already counts as stuck until it is up.
  public init(settings: Settings = Settings(), isActive: Bool, at time: MonotonicTime) {
    self.settings = settings
    self.isActive = isActive
    phase = isActive ? .down : .up
    isStuck = isActive
    (press, change, lastEdge, levelSince) = (time, time, time, time)
  }

  /// The level after the last edge.
  public var level: Bool { isActive }

  /// Whether the button is stuck and ignored.
  public var isIgnored: Bool { isStuck }

  /// The time at which `check(isActive:at:)` is due; nil if it is not due before the next edge.
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

  /// Handles one edge and returns the events; edges come in the kernel's order.
  public mutating func edge(_ edge: GPIOEdge) -> [Event] {
    let time = max(edge.time, lastEdge)
    var events = settle(until: time)
    note(edge.isActive, at: time)
    if settings.lockout == .zero { events += settle(until: time) }
    return events
  }

  /// Returns the events that are due at `time`, for the present level; all earlier edges must have
  /// been handled.
  ///
  /// `since` is the time at which a level without an edge was first seen, by default `time`.
  public mutating func check(
    isActive: Bool, at time: MonotonicTime, since: MonotonicTime? = nil
  ) -> [Event] {
    let time = max(time, lastEdge)
    var events: [Event] = []
    if isActive != self.isActive {
      // Edges were lost, because the kernel's queue holds only a few of a burst.
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
    // An edge means that the level changed, even if the level that was read with it did not.
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

  /// Starts a press whose first edge is at `time`.
  private mutating func begin(at time: MonotonicTime) {
    (press, change, levelSince) = (time, time, time)
    contact = .zero
    hasWaited = false
  }

  /// Updates the level, and adds the contact time that ends with it.
  ///
  /// New contact starts another press if the contact before was too short for one, and the pause
  /// since was longer than contacts bounce. A busy kernel reports the last release's edges late,
  /// and a disturbance may come before a press.
  private mutating func noteLevel(_ isActive: Bool, at time: MonotonicTime) {
    guard isActive != self.isActive else { return }
    self.isActive = isActive
    if phase == .goingDown {
      if !isActive {
        contact += time - levelSince
      } else if contact < settings.minimum, time - levelSince > longestPause {
        begin(at: time)
      }
    }
    levelSince = time
  }

  // An edge without any contact dates a press for a short pause only.
  private var longestPause: Duration { .milliseconds(contact == .zero ? 10 : 20) }

  // The window is at least as long as the required contact time.
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
      // The button went down and up within the window, by a quick finger or by noise.
      phase = .up
      events +=
        length >= settings.minimum
        ? [.pressed(press), .released(levelSince, pressed: press)] : [.glitch(press, length)]
      return
    }
    guard length >= settings.minimum else {
      // The contact is too short so far. This may be a press after noise, or the next pulse of the
      // noise.
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
