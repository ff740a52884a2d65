import Glibc

/// A file's name or path that is compared by its bytes.
///
/// Swift considers two strings equal whose letters are composed differently, such as `é` in one
/// code point and `e` with an accent in two. File systems can have both names in one directory, so
/// names are compared, sorted and looked up as this type.
public struct FileName: Hashable, Comparable, Sendable {
  /// The name as text.
  public let text: String

  /// Creates the name.
  public init(_ text: String) { self.text = text }

  /// Returns whether both have the same bytes.
  public static func == (lhs: FileName, rhs: FileName) -> Bool { order(lhs, rhs) == 0 }

  /// Returns whether the bytes of `lhs` come first.
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
  /// Returns whether two names have the same bytes, which equal strings need not have.
  public func hasBytes(of other: String) -> Bool { FileName(self) == FileName(other) }

  /// Returns the text after a beginning with the same bytes; nil if the text does not begin with
  /// it.
  public func bytes(after beginning: String) -> String? {
    guard utf8.starts(with: beginning.utf8) else { return nil }
    return String(Substring(utf8.dropFirst(beginning.utf8.count)))
  }

  /// The parts between slashes, including empty ones.
  ///
  /// A part may begin with a combining accent, which Swift counts as one character with the slash
  /// before it.
  public var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}
