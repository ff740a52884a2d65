import Platform

/// The destination of a movie's bytes.
public protocol MovieOutput: Sendable {
  /// Writes all bytes at an offset; throws `full` if there is no room for them.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MovieError)
  /// Truncates the output to `count` bytes.
  func truncate(to count: Int) throws(MovieError)
  /// Returns whether `bytes` more bytes may be written.
  func hasRoom(for bytes: Int) -> Bool
}

/// A movie's file, which the caller opens and closes.
public final class MovieFile: MovieOutput {
  private let number: Int32
  private let path: String
  private let system: any SystemCalls
  private let room: @Sendable (Int) -> Bool

  /// Creates an output from a file's descriptor, which must stay open while the object is used.
  ///
  /// `room` returns whether that many more bytes may be written to the file's disk.
  public init(
    _ number: Int32, path: String, system: any SystemCalls = LinuxSystemCalls(),
    room: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) {
    self.number = number
    self.path = path
    self.system = system
    self.room = room
  }

  /// Writes all bytes at an offset, repeating short writes.
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MovieError) {
    do throws(SystemError) {
      try system.writeAll(number, bytes, at: Int64(offset), path)
    } catch {
      throw MovieFile.error(error)
    }
    // Starting the writeback now leaves little work for the sync at the end. A disk that does not
    // support it is fine, too.
    _ = system.startWriteback(number, Int64(offset), Int64(bytes.count))
  }

  /// Truncates the file to `count` bytes.
  public func truncate(to count: Int) throws(MovieError) {
    do throws(SystemError) {
      try system.check(system.retrying { $0.truncate(number, Int64(count)) }, "ftruncate", path)
    } catch {
      throw MovieFile.error(error)
    }
  }

  /// Returns whether `bytes` more bytes may be written.
  public func hasRoom(for bytes: Int) -> Bool { room(bytes) }

  private static func error(_ cause: SystemError) -> MovieError {
    if [Errno.noSpace, Errno.quota, Errno.fileTooLarge].contains(cause.errno) {
      return MovieError(
        .full, "there is no room left for the movie: free some on its disk", cause: cause)
    }
    return MovieError(
      .output, "the movie cannot be written: \(cause.reason); check its disk", cause: cause)
  }
}
