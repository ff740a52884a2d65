/// Part of a file, as it is sent.
final class FileStream: HTTPStream, @unchecked Sendable {
  // Unchecked: used on the server's loop only.
  let isPlain = false
  let hasNoEnd = false
  private let file: KioskFile
  private var offset: Int
  private var left: Int

  init(_ file: KioskFile, offset: Int, count: Int) {
    self.file = file
    self.offset = offset
    left = count
  }

  func write(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamPart {
    guard left > 0 else { return .end }
    let count = file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(left)))
    // Shorter than it was: the length that was promised cannot be kept.
    guard count > 0 else { return .failure }
    offset += count
    left -= count
    return .bytes(count)
  }

  func close() {}
}
