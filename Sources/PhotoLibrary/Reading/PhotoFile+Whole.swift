import Media
import Platform

extension PhotoFile {
  /// Returns whether the file has the end that its header promises; an unfinished copy has not.
  ///
  /// Only the two ends are read. A whole JPEG or PNG file with other bytes behind its end counts as
  /// unfinished.
  func isWhole() throws(SystemError) -> Bool {
    let head = try read(at: 0, count: 12)
    let tail = try read(at: max(0, bytes - 64), count: 64)
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      // Some cameras pad files with zeros.
      guard let last = tail.lastIndex(where: { $0 != 0 }), last > 0 else { return false }
      return tail[last - 1] == 0xFF && tail[last] == 0xD9
    }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      // The empty IEND chunk and its checksum.
      let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
      return tail.suffix(12).elementsEqual(end)
    }
    return try MovieHeader.isWhole(self)
  }
}
