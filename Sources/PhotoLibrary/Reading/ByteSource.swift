import Media
import Platform

/// Bytes that are read piece by piece: those of a file, or of memory.
protocol ByteSource: ~Copyable {
  /// How many there are.
  var bytes: Int { get }

  /// Reads at a place, as much as there is.
  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8]
}

extension PhotoFile: ByteSource {}

/// Bytes in memory.
struct MemorySource: ByteSource {
  let content: [UInt8]

  var bytes: Int { content.count }

  func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard offset >= 0, offset < content.count, count > 0 else { return [] }
    return Array(content[offset..<offset + min(count, content.count - offset)])
  }
}
