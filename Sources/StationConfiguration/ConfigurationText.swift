/// Checks a configuration's bytes before the parser reads them.
///
/// toml++ aborts the program at some characters that TOML does not allow outside quotation marks.
/// toml++ also overflows the stack at keys with very many parts. Text that passes the check is
/// UTF-8 without control characters, and its keys have few parts.
struct ConfigurationText {
  /// The maximum number of parts of a key; the longest key has four.
  static let maxParts = 8
  /// The maximum number of bytes of a key's part or of a string.
  static let maxBytes = 4096

  /// A fault with its line and column, both counted from 1; columns count characters.
  struct Problem: Error, Equatable {
    var message: String
    var line: Int
    var column: Int
  }

  private enum Place {
    /// The text outside of strings and comments.
    case plain
    case comment
    /// A string that `mark` ends, or three of them when `isLong` is set.
    case string(mark: UInt8, isLong: Bool)
  }

  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private var line = 1
  private var column = 1
  private var place = Place.plain
  /// The number of dots since the last character that ends a key.
  private var dots = 0

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// Checks `bytes`.
  ///
  /// - Returns: The text, without a byte order mark at its start.
  static func check(_ bytes: [UInt8]) throws(Problem) -> ArraySlice<UInt8> {
    for mark: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE]] where bytes.starts(with: mark) {
      throw Problem(
        message: "is UTF-16; save the file with the encoding UTF-8", line: 1, column: 1)
    }
    var text = ConfigurationText(
      bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
    while text.index < text.bytes.endIndex { try text.step() }
    return text.bytes
  }

  /// Checks one character and moves behind it.
  private mutating func step() throws(Problem) {
    let byte = bytes[index]
    guard byte < 0x80 else {
      let scalar = try decode()
      try checkScalar(scalar)
      index += UTF8.width(scalar)
      column += 1
      return
    }
    guard byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0A || isLineEnd(byte) else {
      throw problem(
        "has a control character (\(hexadecimal(UInt32(byte), 4))), which no text has; delete it")
    }
    let length = try take(byte)
    index += length
    column += length
    if byte == 0x0A {
      line += 1
      column = 1
    }
  }

  /// Returns the length of the token at an ASCII character, and updates the place.
  private mutating func take(_ byte: UInt8) throws(Problem) -> Int {
    switch place {
    case .comment:
      if byte == 0x0A { endLine() }
      return 1
    case .string(let mark, let isLong):
      switch byte {
      case 0x0A where !isLong: endLine()
      case UInt8(ascii: "\\") where mark == UInt8(ascii: "\"") && !startsLine(index + 1):
        return index + 1 < bytes.endIndex && bytes[index + 1] < 0x80 ? 2 : 1
      case mark where isLong:
        guard isTriple(mark) else { return 1 }
        // Up to two further marks may precede the three that end the string.
        var count = 3
        while count < 5, index + count < bytes.endIndex, bytes[index + count] == mark { count += 1 }
        place = .plain
        return count
      case mark: place = .plain
      default: break
      }
      return 1
    case .plain: return try takePlain(byte)
    }
  }

  private mutating func takePlain(_ byte: UInt8) throws(Problem) -> Int {
    switch byte {
    case UInt8(ascii: "#"): place = .comment
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let isLong = isTriple(byte)
      place = .string(mark: byte, isLong: isLong)
      return isLong ? 3 : 1
    case 0x0A: endLine()
    case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      dots = 0
    case UInt8(ascii: "."):
      dots += 1
      guard dots < ConfigurationText.maxParts else {
        throw problem(
          "has a key of more than \(ConfigurationText.maxParts) parts, and no key has more than 4")
      }
    default: break
    }
    return 1
  }

  private mutating func endLine() {
    place = .plain
    dots = 0
  }

  private func isTriple(_ mark: UInt8) -> Bool {
    index + 2 < bytes.endIndex && bytes[index + 1] == mark && bytes[index + 2] == mark
  }

  /// Returns whether a carriage return is part of a line's end.
  private func isLineEnd(_ byte: UInt8) -> Bool {
    byte == 0x0D && index + 1 < bytes.endIndex && bytes[index + 1] == 0x0A
  }

  private func startsLine(_ index: Int) -> Bool {
    index < bytes.endIndex && (bytes[index] < 0x20 || bytes[index] == 0x7F)
  }

  // MARK: Beyond ASCII

  private func decode() throws(Problem) -> Unicode.Scalar {
    var decoder = UTF8()
    var rest = bytes[index...].prefix(4).makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else {
      let byte = bytes[index]
      // The file is probably in the encoding of an old editor, in which each byte is a character.
      let guess = byte > 0xA0 ? " (in Latin-1 it is '\(Unicode.Scalar(byte))')" : ""
      throw problem(
        "has the byte 0x\(hexadecimal(UInt32(byte), 2, prefix: "")), which is not UTF-8\(guess); "
          + "save the file with the encoding UTF-8")
    }
    return scalar
  }

  private func checkScalar(_ scalar: Unicode.Scalar) throws(Problem) {
    let code = hexadecimal(scalar.value, 4)
    switch scalar.value {
    case 0x80...0x9F, 0x2028, 0x2029, 0xFEFF:
      throw problem("has the invisible character \(code); delete it")
    case 0xFDD0...0xFDEF,
      _ where scalar.value & 0xFFFE == 0xFFFE:
      throw problem("has \(code), which is no character; delete it")
    default: break
    }
    guard case .plain = place else { return }
    switch scalar {
    case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2018}", "\u{2019}", "\u{201A}", "\u{AB}",
      "\u{BB}":
      throw problem(
        "has the quotation mark \(scalar) (\(code)), and TOML knows only \" and '; type that one")
    case _ where scalar.properties.isWhitespace || !scalar.properties.isGraphemeBase:
      throw problem("has \(code) outside of quotation marks; put a plain space in its place")
    default:
      throw problem(
        "has '\(scalar)' (\(code)) outside of quotation marks; put the word that it belongs to "
          + "into quotation marks")
    }
  }

  private func problem(_ message: String) -> Problem {
    Problem(message: message, line: line, column: column)
  }
}

/// Returns a number in hexadecimal digits, as in `U+00FC`.
private func hexadecimal(_ value: UInt32, _ digits: Int, prefix: String = "U+") -> String {
  let text = String(value, radix: 16, uppercase: true)
  return prefix + String(repeating: "0", count: max(0, digits - text.count)) + text
}
