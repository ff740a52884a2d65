/// Bytes that are read piece by piece: those of a file, or of memory.
package protocol ByteSource: ~Copyable {
  /// Why bytes cannot be read.
  associatedtype Failure: Error

  /// How many there are.
  var bytes: Int { get }

  /// Reads at a place, as much as there is.
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
