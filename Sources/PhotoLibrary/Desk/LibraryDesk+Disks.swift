import Platform

// The removable disks: those of copies, and the targets of exports.
extension LibraryDesk {
  /// The disks that did not answer, as errors that name them.
  public var silence: [LibraryError] {
    media.silent.map { LibraryError(MediumSilence(medium: $0.path)) }
  }

  /// Releases the library's lock, because what follows may wait for a disk and works beside a
  /// station.
  func letGo() {
    catalog.letGo()
    library?.close()
  }

  /// Runs `body` on the worker thread for the disk of `path`, without the library's lock.
  ///
  /// Throws `ETIMEDOUT` with the path if one call of `body` does not return in time. `isWriting`
  /// allows more time, because the disk may have much to write.
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
