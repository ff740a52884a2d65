import Platform

/// What a button is for.
public enum ButtonRole: String, CaseIterable, Sendable {
  /// Takes a photo.
  case shutter
  /// Begins a movie, and ends it.
  case record
  /// Keeps the photo.
  case accept
  /// Takes another one instead.
  case retake
  /// Shows the next of the frames that a review offers.
  case next
  /// Shows the one before it.
  case previous
  /// Ends the session without a photo.
  case cancel
  /// Held for five seconds: a clean power-off.
  case shutdown
  /// The only button: a shutter, and during a review whatever the guest does with it.
  case one
}

/// What the only button of a booth does during a review.
public struct OneButtonMeaning: Equatable, Sendable {
  /// A short press.
  public var short: TriggerAction? = .accept
  /// A long one.
  public var long: TriggerAction? = .retake
  /// Two in quick succession; nil: the second one means nothing.
  ///
  /// An excited guest presses twice, so that a photo is lost that way only where it is configured.
  public var double: TriggerAction?
  /// From when on a press is a long one.
  public var longTime = Duration.milliseconds(800)
  /// How soon a second press makes it two in quick succession.
  public var doubleTime = Duration.milliseconds(400)

  /// Makes what a guest would expect.
  public init() {}
}

/// What a button's presses ask of the station, as a value.
///
/// Presses go in, actions with their dates come out. An action is dated by the press, a long one by
/// the instant at which it became long.
public struct ButtonInterpreter: Equatable, Sendable {
  /// How long `shutdown` is held.
  public static let shutdownHold = Duration.seconds(5)

  /// What is asked, and when.
  public struct Wish: Equatable, Sendable {
    /// What is asked.
    public var action: TriggerAction
    /// When.
    public var time: MonotonicTime
  }

  private struct Waiting: Equatable {
    var press: MonotonicTime
    var until: MonotonicTime
  }

  private let role: ButtonRole
  private let meaning: OneButtonMeaning
  /// Whether the present press has meant something already.
  private var isSpent = true
  /// A short press that waits for a second one.
  private var waiting: Waiting?
  /// Until when a press is the second one of two whose first has meant something already.
  private var quietUntil: MonotonicTime?

  /// Makes one for a button.
  public init(role: ButtonRole, meaning: OneButtonMeaning = OneButtonMeaning()) {
    self.role = role
    self.meaning = meaning
  }

  /// From when on a press of this button is a long one.
  public var long: Duration {
    switch role {
    case .shutdown: ButtonInterpreter.shutdownHold
    case .one: meaning.longTime
    default: .seconds(1)
    }
  }

  /// When ``check(at:)`` is due; nil: not before the next press.
  public var deadline: MonotonicTime? { waiting?.until }

  /// One event of the button; `isReview` says whether the station shows a review now.
  public mutating func handle(_ event: ButtonDebouncer.Event, isReview: Bool) -> [Wish] {
    switch (role, event) {
    case (.one, _): return handleOne(event, isReview: isReview)
    case (.shutdown, .long(let press)):
      return [Wish(action: .shutdown, time: press + ButtonInterpreter.shutdownHold)]
    case (.shutter, .pressed(let press)): return [Wish(action: .shutter, time: press)]
    case (.record, .pressed(let press)): return [Wish(action: .record, time: press)]
    case (.accept, .pressed(let press)): return [Wish(action: .accept, time: press)]
    case (.retake, .pressed(let press)): return [Wish(action: .retake, time: press)]
    case (.next, .pressed(let press)): return [Wish(action: .next, time: press)]
    case (.previous, .pressed(let press)): return [Wish(action: .previous, time: press)]
    case (.cancel, .pressed(let press)): return [Wish(action: .cancel, time: press)]
    default: return []
    }
  }

  /// What is due at `time`.
  public mutating func check(at time: MonotonicTime) -> [Wish] {
    guard let short = waiting, short.until <= time else { return [] }
    waiting = nil
    return wish(meaning.short, short.press)
  }

  private mutating func handleOne(_ event: ButtonDebouncer.Event, isReview: Bool) -> [Wish] {
    switch event {
    case .pressed(let press):
      isSpent = true
      if let end = quietUntil, press <= end { return [] }
      if let first = waiting {
        if press <= first.until {
          waiting = nil
          return wish(meaning.double, press)
        }
        return check(at: press) + handleOne(event, isReview: isReview)
      }
      guard isReview else { return [Wish(action: .shutter, time: press)] }
      if meaning.long == nil, meaning.double == nil { return short(press, at: press) }
      isSpent = false
    case .long(let press) where !isSpent:
      guard let long = meaning.long else { return [] }
      isSpent = true
      return [Wish(action: long, time: press + meaning.longTime)]
    case .released(let time, let press) where !isSpent:
      isSpent = true
      guard meaning.double != nil else { return short(press, at: time) }
      waiting = Waiting(press: press, until: time + meaning.doubleTime)
    case .stuck: isSpent = true
    default: break
    }
    return []
  }

  private mutating func short(_ press: MonotonicTime, at time: MonotonicTime) -> [Wish] {
    // A guest goes from frame to frame as quickly as they like: the review stays.
    if meaning.short != .next { quietUntil = time + meaning.doubleTime }
    return wish(meaning.short, press)
  }

  private func wish(_ action: TriggerAction?, _ time: MonotonicTime) -> [Wish] {
    action.map { [Wish(action: $0, time: time)] } ?? []
  }
}
