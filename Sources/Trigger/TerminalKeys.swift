/// Takes the keys apart that a terminal sends, as a value.
///
/// Arrows and function keys come as several bytes, of which the last is often a letter that is a key
/// of its own: the right arrow ends with `C`.
struct TerminalKeys: Equatable, Sendable {
  private enum Phase: Equatable {
    case ground
    /// After Escape.
    case escape
    /// Inside of a control sequence, which ends with a byte from `@` to `~`.
    case sequence
  }

  private var phase = Phase.ground

  /// Makes one before the first key.
  init() {}

  /// What one further byte asks for; nil: nothing, or nothing yet.
  mutating func action(of byte: UInt8) -> TriggerAction? {
    switch phase {
    case .escape where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"):
      phase = .sequence
      return nil
    case .sequence:
      guard (0x40...0x7E).contains(byte) else { return nil }
      phase = .ground
      return switch byte {
      case UInt8(ascii: "C"): .next
      case UInt8(ascii: "D"): .previous
      default: nil
      }
    case .ground, .escape:
      phase = byte == 0x1B ? .escape : .ground
      return phase == .escape ? nil : TerminalTrigger.action(of: byte)
    }
  }
}
