import Platform

/// The limit on guesses of the operator's PIN, and the browsers that have sent it.
///
/// A right PIN gives no guesses back, so that a guesser gains nothing when the operator enters it.
/// A browser that sent the right PIN gets a cookie. The cookie opens nothing by itself, but with it
/// the server checks the PIN even while the guesses are used up.
struct OperatorGate: Sendable {
  /// The name of the cookie for a browser that has sent the right PIN.
  static let cookie = "retake-operator"
  /// The number of wrong PINs that are checked without a pause.
  static let guesses = 5
  /// The time after which one more wrong PIN is checked.
  static let pause = Duration.seconds(10)
  /// The time after a browser's last use in which its cookie is valid.
  static let memory = Duration.seconds(12 * 3600)
  /// The maximum number of browsers that are remembered.
  static let mostBrowsers = 16

  /// A browser that has sent the right PIN.
  private struct Browser {
    var name: [UInt8]
    var lastUse: MonotonicTime
    var wrong = 0
  }

  /// The result of a PIN's check.
  enum Verdict: Equatable {
    /// The PIN is right; the cookie is for a browser that has none yet.
    case right(cookie: String?)
    /// The PIN is wrong, and was counted.
    case wrong
    /// The PIN was not checked, because the guesses are used up.
    case unheard
  }

  private var guessesLeft = OperatorGate.guesses
  /// The time at which the next used guess is given back.
  private var nextGuess: MonotonicTime?
  private var browsers: [Browser] = []

  /// Checks a PIN that came with these cookies.
  mutating func judge(
    _ pin: String, cookies: [Substring], _ access: AccessRules, at now: MonotonicTime
  ) -> Verdict {
    browsers.removeAll { now - $0.lastUse > OperatorGate.memory }
    let known = browsers.firstIndex { browser in
      cookies.contains { AccessRules.isSame(Array($0.utf8), browser.name) }
    }
    if let known {
      guard access.isPIN(pin) else {
        // Wrong PINs count here, too, because another person may use the browser.
        browsers[known].wrong += 1
        if browsers[known].wrong >= OperatorGate.guesses { browsers.remove(at: known) }
        return .wrong
      }
      browsers[known].lastUse = now
      return .right(cookie: nil)
    }
    giveBack(at: now)
    guard guessesLeft > 0 else { return .unheard }
    guard access.isPIN(pin) else {
      guessesLeft -= 1
      if nextGuess == nil { nextGuess = now + OperatorGate.pause }
      return .wrong
    }
    return .right(cookie: remember(at: now))
  }

  private mutating func giveBack(at now: MonotonicTime) {
    guard let next = nextGuess, next <= now else { return }
    let whole = 1 + (now - next).nanoseconds / OperatorGate.pause.nanoseconds
    let given = Int(min(whole, Int64(OperatorGate.guesses - guessesLeft)))
    guessesLeft += given
    nextGuess =
      guessesLeft == OperatorGate.guesses
      ? nil : next + .nanoseconds(OperatorGate.pause.nanoseconds * Int64(given))
  }

  private mutating func remember(at now: MonotonicTime) -> String {
    if browsers.count >= OperatorGate.mostBrowsers,
      let oldest = browsers.indices.min(by: { browsers[$0].lastUse < browsers[$1].lastUse })
    {
      browsers.remove(at: oldest)
    }
    // 128 random bits from the kernel.
    let name = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    browsers.append(Browser(name: Array(name.utf8), lastUse: now))
    return name
  }
}
