extension String {
  /// The text as one line that is safe to show to a person, in a terminal or a log.
  ///
  /// Names of files, cameras and albums, and answers of other programs, may contain any character.
  /// Characters that control a terminal, or change the order or the lines of the text, are written
  /// as `\u{1B}`. Invalid UTF-8 is U+FFFD already.
  public var plain: String { plain { _ in false } }

  /// The text of ``plain`` with tabs, for fields of one line that were made safe before.
  public var plainFields: String { plain { $0 == "\t" } }

  /// The text of ``plain`` with line ends and tabs, for text of several lines.
  public var plainLines: String { plain { $0 == "\n" || $0 == "\t" } }

  /// The text from which ``plain`` was made, as far as that can be known.
  ///
  /// A person may enter a name as it was shown.
  public var fromPlain: String {
    guard contains("\\u{") else { return self }
    var result = ""
    var rest = self[...]
    while let start = rest.firstRange(of: "\\u{") {
      result += rest[..<start.lowerBound]
      let digits = rest[start.upperBound...].prefix { $0.isASCII && $0.isHexDigit }
      let end = digits.endIndex
      if (1...6).contains(digits.count), end < rest.endIndex, rest[end] == "}",
        let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
      {
        result.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: end)...]
      } else {
        result += rest[start]
        rest = rest[start.upperBound...]
      }
    }
    return result + rest
  }

  private func plain(_ keeps: (Unicode.Scalar) -> Bool) -> String {
    // Nearly all text is plain already.
    if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
    var result = ""
    result.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if keeps(scalar) || !scalar.isMisleading {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  // The controls of terminals (C0, DEL, C1), other line ends, and characters that are invisible or
  // change the direction of text. Joiners belong to writing, and some signs of Arabic and Syriac
  // are visible.
  fileprivate var isMisleading: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format:
      ![0x200C, 0x200D, 0x06DD, 0x070F, 0x08E2].contains(value) && !(0x600...0x605).contains(value)
    default: false
    }
  }
}
