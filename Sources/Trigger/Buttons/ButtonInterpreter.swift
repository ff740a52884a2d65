import Platform

/// The function of a button.
public enum ButtonRole: String, CaseIterable, Sendable {
  /// Takes a photo.
  case shutter
  /// Starts a movie, and ends it.
  case record
  /// Keeps the photo.
  case accept
  /// Discards the photo and takes another one.
  case retake
  /// Shows the next of the frames that a review offers.
  case next
  /// Shows the previous one of the frames that a review offers.
  case previous
  /// Ends the session without a photo.
  case cancel
  /// Powers the machine off cleanly, when held for five seconds.
  case shutdown
  /// The only button: a shutter, and during a review the function that ``OneButtonMeaning`` gives
  /// it.
  case one
}

/// The functions of a booth's only button during a review.
public struct OneButtonMeaning: Equatable, Sendable {
  /// The action of a short press.
  public var short: TriggerAction? = .accept
  /// The action of a long press.
  public var long: TriggerAction? = .retake
  /// The action of a double press; nil if the second press has no effect.
  ///
  /// An excited guest may press twice, so that a double press loses a photo only where it is
  /// configured.
  public var double: TriggerAction?
  /// The time after which a press counts as long.
  public var longTime = Duration.milliseconds(800)
  /// The maximum time between the two presses of a double press.
  public var doubleTime = Duration.milliseconds(400)

  /// Creates the functions that a guest would expect.
  public init() {}
}

/// The conversion of a button's presses to actions, as a value.
///
/// Presses go in, and dated actions come out. An action has the date of its press; a long press has
/// the date at which it became long.
package struct ButtonInterpreter: Equatable, Sendable {
  /// The time for which a `shutdown` button is held.
  package static let shutdownHold = Duration.seconds(5)

  /// An action and its time.
  package struct Wish: Equatable, Sendable {
    /// The action.
    package var action: TriggerAction
    /// The time of the action.
    package var time: MonotonicTime
  }

  private struct Waiting: Equatable {
    var press: MonotonicTime
    var until: MonotonicTime
  }

  private let role: ButtonRole
  private let meaning: OneButtonMeaning
  /// Whether the present press has caused an action already.
  private var isSpent = true
  /// A short press that waits for a second one.
  private var waiting: Waiting?
  /// The time until which a press is the second of a double press whose first caused an action.
  private var quietUntil: MonotonicTime?

  /// Creates an interpreter for a button.
  package init(role: ButtonRole, meaning: OneButtonMeaning = OneButtonMeaning()) {
    self.role = role
    self.meaning = meaning
  }

  /// The time after which a press of this button counts as long.
  package var long: Duration {
    switch role {
    case .shutdown: ButtonInterpreter.shutdownHold
    case .one: meaning.longTime
    default: .seconds(1)
    }
  }

  /// The time at which ``check(at:)`` is due; nil if it is not due before the next press.
  package var deadline: MonotonicTime? { waiting?.until }

  /// Handles an event of the button; `isReview` is true if the station shows a review now.
  package mutating func handle(_ event: ButtonDebouncer.Event, isReview: Bool) -> [Wish] {
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

  /// Returns the actions that are due at `time`.
  package mutating func check(at time: MonotonicTime) -> [Wish] {
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
    // A guest may step through the frames quickly, because the review continues.
    if meaning.short != .next { quietUntil = time + meaning.doubleTime }
    return wish(meaning.short, press)
  }

  private func wish(_ action: TriggerAction?, _ time: MonotonicTime) -> [Wish] {
    action.map { [Wish(action: $0, time: time)] } ?? []
  }
}
