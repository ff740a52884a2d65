/// The conversion of a terminal's bytes to keys.
///
/// An arrow's last byte is a letter, and must not count as that letter's key.
struct TerminalKeys: Equatable, Sendable {
  private enum Place: Equatable {
    case plain
    /// After an Escape.
    case escape
    /// In a sequence of several bytes, such as that of an arrow.
    case sequence
    /// In the sequence of F1 to F4, which has one more byte.
    case function
  }

  private var place = Place.plain

  /// Returns the key that a byte completes; nil while further bytes are expected.
  ///
  /// A key of several bytes is returned as 0x1B. For a character beyond ASCII, the first byte is
  /// returned.
  mutating func take(_ byte: UInt8) -> UInt8? {
    switch place {
    case .escape where byte == UInt8(ascii: "["):
      place = .sequence
      return nil
    case .escape where byte == UInt8(ascii: "O"):
      place = .function
      return nil
    case .function:
      place = .plain
      return TerminalKeys.escape
    case .sequence:
      // Source: ECMA-48, 5.4.
      guard (0x40...0x7E).contains(byte) else { return nil }
      place = .plain
      return TerminalKeys.escape
    case .plain, .escape:
      place = byte == TerminalKeys.escape ? .escape : .plain
      return byte == TerminalKeys.escape || (0x80...0xBF).contains(byte) ? nil : byte
    }
  }

  private static let escape: UInt8 = 0x1B
}
