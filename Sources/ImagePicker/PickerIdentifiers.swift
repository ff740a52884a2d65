/// Names one session, from the press or the presentation to its end; never used twice.
public struct SessionID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the session, counted from 1 by the machine.
  public var rawValue: UInt64

  /// Makes the name with that number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Whether `lhs` began first.
  public static func < (lhs: SessionID, rhs: SessionID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Names one piece of work that the machine asked for: an exposure and the still made of it, or
/// the results of a library session; never used twice.
///
/// The same name goes through `capture`, `captured`, `save`, `saved` and `discard`.
public struct CandidateID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the candidate, counted from 1 by the machine.
  public var rawValue: UInt64

  /// Makes the name with that number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Whether `lhs` was asked for first.
  public static func < (lhs: CandidateID, rhs: CandidateID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Names one running timer; never used twice, so that a timer that fires late is recognised.
public struct TimerToken: RawRepresentable, Hashable, Sendable {
  /// The number of the timer, counted from 1 by the machine.
  public var rawValue: UInt64

  /// Makes the name with that number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// Names a photo of a library, in the library's own words.
///
/// Two names are the same if their bytes are: files may have names that Swift takes for equal.
public struct ItemID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name as the library gave it.
  public var rawValue: String

  /// Makes the name from what the library gave.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes the name from a literal.
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  /// Whether both have the same bytes.
  public static func == (lhs: ItemID, rhs: ItemID) -> Bool {
    lhs.rawValue.utf8.elementsEqual(rhs.rawValue.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in rawValue.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(0xFF))
  }
}
