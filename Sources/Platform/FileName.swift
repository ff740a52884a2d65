import Glibc

/// A name of a file or a directory, or a path, that is told from others by its bytes.
///
/// Swift takes two strings for equal whose letters are composed differently, such as `é` in one
/// code point and `e` with an accent in two. File systems have both names beside each other, so
/// names are compared, sorted and looked up as this type.
public struct FileName: Hashable, Comparable, Sendable {
  /// The name as text.
  public let text: String

  /// Makes the name.
  public init(_ text: String) { self.text = text }

  /// Whether both have the same bytes.
  public static func == (lhs: FileName, rhs: FileName) -> Bool { order(lhs, rhs) == 0 }

  /// Whether the bytes of `lhs` come first.
  public static func < (lhs: FileName, rhs: FileName) -> Bool { order(lhs, rhs) < 0 }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8(0xFF))
  }

  private static func order(_ lhs: FileName, _ rhs: FileName) -> Int {
    var (left, right) = (lhs.text, rhs.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        let common = min(left.count, right.count)
        if common > 0, let one = left.baseAddress, let other = right.baseAddress {
          let order = memcmp(one, other, common)
          if order != 0 { return Int(order) }
        }
        return left.count - right.count
      }
    }
  }
}

extension String {
  /// Whether two names have the same bytes, which equal strings need not have.
  public func hasBytes(of other: String) -> Bool { FileName(self) == FileName(other) }

  /// The text after a beginning of the same bytes; nil where the text begins with others.
  public func bytes(after beginning: String) -> String? {
    guard utf8.starts(with: beginning.utf8) else { return nil }
    return String(Substring(utf8.dropFirst(beginning.utf8.count)))
  }

  /// The parts between slashes, the empty ones too.
  ///
  /// A part may begin with an accent, which Swift counts as one character with the slash before it.
  public var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}
