import Platform

// The disks that others bring: those of copies, and those that an export goes to.
extension LibraryDesk {
  /// The disks that did not answer, as errors that name them.
  public var silence: [LibraryError] {
    media.silent.map { LibraryError(MediumSilence(medium: $0.path)) }
  }

  /// Lets a station have the library: what follows may wait for a disk, and works beside a station.
  func letGo() {
    catalog.letGo()
    library?.close()
  }

  /// Runs `body` on the thread that waits for the disk of `path`, without the library's lock.
  ///
  /// Throws `ETIMEDOUT`, which names the path, where one call of `body` does not return in time;
  /// `isWriting` says that the disk may have much to write before it returns.
  func onDisk<Value: Sendable>(
    of path: String, isWriting: Bool = false,
    _ body: @escaping @Sendable () throws(SystemError) -> Value
  ) throws(SystemError) -> Value {
    letGo()
    let patience = isWriting ? media.copying : AbandonableWorker.Patience(step: media.patience)
    let result: Result<Value, SystemError>
    do throws(MediumSilence) {
      result = try worker(path).run(patience) { _ in
        do throws(SystemError) {
          return .success(try body())
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw error.systemError
    }
    return try result.get()
  }

  func worker(_ path: String) -> AbandonableWorker { media.worker("desk", for: path) }
}
