import Platform

/// Where a movie's bytes go.
public protocol MovieOutput: Sendable {
  /// Writes all of it at that place; throws `full` where there is no room for it.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MovieError)
  /// Cuts off what is behind that place.
  func truncate(to count: Int) throws(MovieError)
  /// Whether so many more bytes may be written.
  func hasRoom(for bytes: Int) -> Bool
}

/// A file that somebody else opened and closes.
public final class MovieFile: MovieOutput {
  private let number: Int32
  private let path: String
  private let system: any SystemCalls
  private let room: @Sendable (Int) -> Bool

  /// Takes the descriptor of a file, which stays open as long as this is used.
  ///
  /// `room` says whether so many more bytes may be written to its disk.
  public init(
    _ number: Int32, path: String, system: any SystemCalls = LinuxSystemCalls(),
    room: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) {
    self.number = number
    self.path = path
    self.system = system
    self.room = room
  }

  /// Writes all of it, however short the single writes are.
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MovieError) {
    do throws(SystemError) {
      try system.writeAll(number, bytes, at: Int64(offset), path)
    } catch {
      throw MovieFile.error(error)
    }
    // So that the sync at the end finds little to do; a disk that cannot is as good.
    _ = system.startWriteback(number, Int64(offset), Int64(bytes.count))
  }

  /// Cuts off what is behind that place.
  public func truncate(to count: Int) throws(MovieError) {
    do throws(SystemError) {
      try system.check(system.retrying { $0.truncate(number, Int64(count)) }, "ftruncate", path)
    } catch {
      throw MovieFile.error(error)
    }
  }

  /// Whether so many more bytes may be written.
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
