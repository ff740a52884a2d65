/// A source of bytes that are read piece by piece, from a file or from memory.
package protocol ByteSource: ~Copyable {
  /// The error of a failed read.
  associatedtype Failure: Error

  /// The total number of bytes.
  var bytes: Int { get }

  /// Reads up to `count` bytes at `offset`; returns fewer at the end.
  func read(at offset: Int, count: Int) throws(Failure) -> [UInt8]
}

/// Bytes in memory.
package struct MemorySource: ByteSource {
  package typealias Failure = Never
  package let content: [UInt8]

  package init(content: [UInt8]) { self.content = content }

  package var bytes: Int { content.count }

  package func read(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < content.count, count > 0 else { return [] }
    return Array(content[offset..<offset + min(count, content.count - offset)])
  }
}
