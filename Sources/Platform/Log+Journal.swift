import CSystemd
import Glibc

extension Log {
  /// Returns whether standard error goes to the journal, and not to a file or a pipe in between.
  ///
  /// Source: `JOURNAL_STREAM` in `systemd.exec(5)`.
  static func isJournal(_ variable: String?, device: UInt64, inode: UInt64) -> Bool {
    guard let parts = variable?.split(separator: ":"), parts.count == 2 else { return false }
    return UInt64(parts[0]) == device && UInt64(parts[1]) == inode
  }

  static let standardErrorIsJournal: Bool = {
    var status = stat()
    guard let variable = getenv("JOURNAL_STREAM"), fstat(2, &status) == 0 else { return false }
    return isJournal(
      String(cString: variable), device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }()

  /// Returns the journal's fields of one line, each `NAME=value`.
  ///
  /// A field `session` becomes `RETAKE_SESSION`; the text is readable without the fields.
  static func journalFields(
    _ level: Level, _ category: String, _ text: String, _ fields: [(String, String)]
  ) -> [String] {
    var lines = [
      "MESSAGE=\(text.plain)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=retake",
      "RETAKE_CATEGORY=\(category)",
    ]
    for (key, value) in fields {
      let name = key.utf8.map { byte -> Character in
        switch byte {
        case 0x61...0x7A: Character(UnicodeScalar(byte - 32))
        case 0x41...0x5A, 0x30...0x39: Character(UnicodeScalar(byte))
        default: "_"
        }
      }
      // The journal refuses names of more than 64 bytes.
      lines.append("RETAKE_\(String(name.prefix(57)))=\(value)")
    }
    return lines
  }

  /// Sends one line with its fields to the journal; returns false if that failed.
  static func sendToJournal(_ lines: [String]) -> Bool {
    var joined: [UInt8] = []
    var bounds: [Range<Int>] = []
    for line in lines {
      let start = joined.count
      joined.append(contentsOf: line.utf8)
      bounds.append(start..<joined.count)
    }
    return joined.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      let vectors = bounds.map { iovec(iov_base: base + $0.lowerBound, iov_len: $0.count) }
      return sd_journal_sendv(vectors, Int32(vectors.count)) == 0
    }
  }
}
