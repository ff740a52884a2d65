/// Entity tags of RFC 9110, 8.8.3.
enum HTTPTag {
  /// Returns whether a list of tags (`If-None-Match`) contains a tag.
  static func matches(_ list: String?, _ tag: String) -> Bool {
    guard let list else { return false }
    return list.split(separator: ",").contains { part in
      var text = part.drop { $0 == " " }
      while text.last == " " { text.removeLast() }
      if text.hasPrefix("W/") { text = text.dropFirst(2) }
      return text == "*" || text == tag
    }
  }
}

/// A range of a file's bytes, by RFC 9110, 14.
enum HTTPRange: Equatable {
  /// The whole file, also for a missing or an unsupported header.
  case whole
  case part(Range<Int>)
  /// No byte of the file is in the range.
  case none

  /// Parses a `Range` header for a file of `size` bytes.
  ///
  /// Several ranges, which no browser requests, get the whole file.
  init(_ header: String?, size: Int) {
    guard let header, header.lowercased().hasPrefix("bytes=") else {
      self = .whole
      return
    }
    let text = header.dropFirst(6)
    let halves = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard !text.contains(","), halves.count == 2,
      halves.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else {
      self = .whole
      return
    }
    // Numbers that exceed Int exceed every file's size, too.
    let first = halves[0].isEmpty ? nil : Int(halves[0]) ?? Int.max
    let last = halves[1].isEmpty ? nil : Int(halves[1]) ?? Int.max
    switch (first, last) {
    case (nil, nil): self = .whole
    case (nil, let count?):
      self = count == 0 || size == 0 ? .none : .part(max(0, size - count)..<size)
    case (let first?, let last):
      if let last, last < first {
        self = .whole
      } else if first >= size {
        self = .none
      } else {
        self = .part(first..<min(last ?? size - 1, size - 1) + 1)
      }
    }
  }
}
