/// An identifier of one session, from the press or the presentation to its end; never reused.
public struct SessionID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the session, counted from 1 by the machine.
  public var rawValue: UInt64

  /// Creates the identifier with that number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Returns whether `lhs` began first.
  public static func < (lhs: SessionID, rhs: SessionID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// An identifier of one piece of work that the machine asked for, such as an exposure with its
/// still, a movie, or the results of a library session; never reused.
///
/// The effects and events `capture`, `captured`, `save`, `saved` and `discard` of the same work
/// carry the same identifier.
public struct CandidateID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number of the candidate, counted from 1 by the machine.
  public var rawValue: UInt64

  /// Creates the identifier with that number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Returns whether `lhs` was asked for first.
  public static func < (lhs: CandidateID, rhs: CandidateID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// An identifier of one running timer; never reused, so that the machine recognises a timer that
/// fires late.
public struct TimerToken: RawRepresentable, Hashable, Sendable {
  /// The number of the timer, counted from 1 by the machine.
  public var rawValue: UInt64

  /// Creates the identifier with that number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// An identifier of a photo in a library, as the library spells it.
///
/// Identifiers are compared byte by byte, because files may have different names that compare as
/// equal Swift strings.
public struct ItemID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The identifier as the library gave it.
  public var rawValue: String

  /// Creates the identifier from a string that the library gave.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Creates the identifier from a literal.
  public init(stringLiteral value: String) {
    self.init(rawValue: value)
  }

  /// Returns whether both have the same bytes.
  public static func == (lhs: ItemID, rhs: ItemID) -> Bool {
    lhs.rawValue.utf8.elementsEqual(rhs.rawValue.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in rawValue.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(0xFF))
  }
}
