/// Part of a file as a body, read one piece ahead on a thread that may block on the disk.
final class FileStream: HTTPStream, @unchecked Sendable {
  // Unchecked: used on the server's loop only; the reading thread has just the file and an offset.
  /// The number of bytes in a piece.
  static let piece = 128 << 10

  /// Runs `read` on a thread that may block, and then `then` on the server's loop.
  typealias Reader =
    @Sendable (
      _ read: @escaping @Sendable () -> [UInt8], _ then: @escaping @Sendable ([UInt8]) -> Void
    ) -> Void

  let hasNoEnd = false
  private let file: KioskFile
  private let reader: Reader
  private let wake: @Sendable () -> Void
  private var offset: Int
  /// The number of bytes that are still to be read from the file.
  private var unread: Int
  /// The bytes that were read; those from `sent` on are still to be sent.
  private var bytes: [UInt8] = []
  private var sent = 0
  /// The next piece, once it was read.
  private var next: [UInt8]?
  private var isReading = false
  private var isBroken = false
  private var isWaiting = false
  private var isClosed = false

  /// Creates a stream; `wake` is called on the server's loop when there are bytes to send again.
  init(
    _ file: KioskFile, offset: Int, count: Int, reader: @escaping Reader,
    wake: @escaping @Sendable () -> Void
  ) {
    self.file = file
    self.offset = offset
    self.reader = reader
    self.wake = wake
    unread = count
  }

  func write(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamPart {
    if sent == bytes.count, let next {
      (bytes, sent, self.next) = (next, 0, nil)
    }
    readAhead()
    guard sent < bytes.count else {
      if isBroken { return .failure }
      guard isReading else { return .end }
      isWaiting = true
      return .nothing
    }
    let count = min(buffer.count, bytes.count - sent)
    bytes.withUnsafeBytes { source in
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[sent..<sent + count]))
    }
    sent += count
    return .bytes(count)
  }

  func close() { isClosed = true }

  private func readAhead() {
    guard !isReading, next == nil, unread > 0, !isBroken, !isClosed else { return }
    isReading = true
    let (file, offset, count) = (file, offset, min(unread, FileStream.piece))
    reader(
      {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
          filled = max(0, file.read(at: offset, into: UnsafeMutableRawBufferPointer(buffer)))
        }
      }, { [self] in take($0) })
  }

  private func take(_ piece: [UInt8]) {
    isReading = false
    // The file became shorter, so that the announced length cannot be sent.
    if piece.isEmpty { isBroken = true } else { next = piece }
    offset += piece.count
    unread -= piece.count
    guard isWaiting, !isClosed else { return }
    isWaiting = false
    wake()
  }
}
