import Platform

/// The operator's PIN: who guesses at it, and which browsers have known it.
///
/// Guesses are counted, not runs of wrong ones: a right PIN gives a guesser nothing back, so that the
/// operator's own page does not pay for attempts. A browser that sent the right PIN gets a cookie,
/// which opens nothing by itself: with it the PIN is still heard while guesses are used up.
struct OperatorGate: Sendable {
  /// The cookie of a browser that has sent the right PIN.
  static let cookie = "retake-operator"
  /// How many wrong PINs are answered at once.
  static let guesses = 5
  /// How long it takes until one more is.
  static let pause = Duration.seconds(10)
  /// How long a browser's cookie counts after its last use.
  static let memory = Duration.seconds(12 * 3600)
  /// How many browsers are remembered.
  static let mostBrowsers = 16

  /// A browser that has known the PIN.
  private struct Browser {
    var name: [UInt8]
    var lastUse: MonotonicTime
    var wrong = 0
  }

  /// What becomes of a PIN.
  enum Verdict: Equatable {
    /// It is right; the cookie is for a browser that has none yet.
    case right(cookie: String?)
    /// It is wrong, and was counted.
    case wrong
    /// It was not looked at.
    case unheard
  }

  private var guessesLeft = OperatorGate.guesses
  /// When the oldest of the guesses that are used up comes back.
  private var nextGuess: MonotonicTime?
  private var browsers: [Browser] = []

  /// Judges a PIN that came with these cookies.
  mutating func judge(
    _ pin: String, cookies: [Substring], _ access: AccessRules, at now: MonotonicTime
  ) -> Verdict {
    browsers.removeAll { now - $0.lastUse > OperatorGate.memory }
    let known = browsers.firstIndex { browser in
      cookies.contains { AccessRules.isSame(Array($0.utf8), browser.name) }
    }
    if let known {
      guard access.isPIN(pin) else {
        // The browser's next user may guess, too.
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
