/// The name of an album's directory in a directory for copies.
///
/// The name is the album's, with each byte that the file system there cannot store written as `%`
/// and two digits, as in URLs: `Anna & Ben: 12:30` becomes `Anna & Ben%3A 12%3A30`. A `%` of the
/// album's own that would read as an escape is escaped, too, on every file system. Therefore each
/// directory's name tells its album.
/// Source: "Naming Files, Paths, and Namespaces", Microsoft.
enum PortableName {
  /// The set of characters that are escaped.
  enum Form: Sendable, CaseIterable {
    /// Only a `%` that would read as an escape.
    case plain
    /// Also characters that FAT, exFAT, NTFS and Windows refuse, drop, or reserve for devices.
    case portable
    /// Also everything that is not ASCII, for a mount whose character set lacks it.
    case ascii
  }

  /// Returns the directory's name for an album.
  ///
  /// With `tellsCase` the name stays different, even ignoring case, from that of every album whose
  /// name differs in case only. That holds whether or not the other name was made with `tellsCase`.
  static func directory(_ album: String, _ form: Form, tellsCase: Bool = false) -> String {
    let scalars = Array(album.unicodeScalars)
    var marked = Set<Int>()
    for (index, scalar) in scalars.enumerated() {
      let isPercent = scalar == "%" && isEscape(scalars, at: index)
      let isForeign = form == .ascii && !scalar.isASCII
      if isPercent || isForeign || (form != .plain && isRefused(scalar)) { marked.insert(index) }
    }
    if form != .plain, let last = scalars.indices.last {
      if scalars[last] == "." || scalars[last] == " " { marked.insert(last) }
      if isDevice(scalars) { marked.insert(0) }
    }
    if tellsCase { marked.formUnion(tellingCase(scalars)) }
    return scalars.enumerated().map { index, scalar in
      marked.contains(index) ? escaped(scalar) : String(scalar)
    }.joined()
  }

  /// Returns the names that a directory may get, the best first.
  ///
  /// `isNarrow` means that the file system may store fewer characters than Linux's own.
  static func candidates(_ album: String, isNarrow: Bool) -> [String] {
    var names: [String] = []
    for form in Form.allCases where !(isNarrow && form == .plain) {
      for tellsCase in [false, true] {
        let name = directory(album, form, tellsCase: tellsCase)
        // The comparison uses bytes, because equal strings may have different ones.
        if !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { names.append(name) }
      }
    }
    return names
  }

  /// Returns the album that a directory's name means.
  static func album(_ directory: some Collection<UInt8>) -> [UInt8] {
    var rest = Array(directory)[...]
    guard rest.contains(percent) else { return Array(rest) }
    var album: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == percent, rest.count >= 2, let high = digit(rest[rest.startIndex]),
        let low = digit(rest[rest.startIndex + 1])
      {
        album.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        album.append(byte)
      }
    }
    return album
  }

  // MARK: - What cannot stay

  private static let percent = UInt8(ascii: "%")

  // Accepts capital digits only, because escapes are written with these.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    default: nil
    }
  }

  private static func isEscape(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard index + 2 < scalars.count else { return false }
    return scalars[index + 1...index + 2].allSatisfy { scalar in
      scalar.isASCII && digit(UInt8(truncatingIfNeeded: scalar.value)) != nil
    }
  }

  private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.value == 0x7F || "\"*/:<>?\\|".unicodeScalars.contains(scalar)
  }

  // Windows opens a device under these names, with any suffix after a dot.
  private static func isDevice(_ scalars: [Unicode.Scalar]) -> Bool {
    var stem = scalars.prefix { $0 != "." }
    while stem.last == " " { stem.removeLast() }
    let word = String(String.UnicodeScalarView(stem)).uppercased()
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(word) { return true }
    guard word.hasPrefix("COM") || word.hasPrefix("LPT"), stem.count == 4 else { return false }
    return stem.last.map { "0123456789\u{B9}\u{B2}\u{B3}".unicodeScalars.contains($0) } ?? false
  }

  // Returns the capitals, or the first letter if there are none.
  //
  // Names that differ in case only differ in these.
  private static func tellingCase(_ scalars: [Unicode.Scalar]) -> Set<Int> {
    let capitals = scalars.indices.filter { index in
      scalars[index].properties.lowercaseMapping != String(scalars[index])
    }
    if !capitals.isEmpty { return Set(capitals) }
    let first = scalars.indices.first { index in
      scalars[index].properties.uppercaseMapping != String(scalars[index])
    }
    return [first ?? 0]
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}
