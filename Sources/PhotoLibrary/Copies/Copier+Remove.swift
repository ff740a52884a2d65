import CLinux
import Platform

/// Deletion of the copies of deleted photos.
extension Copier {
  // The time before failed deletions are tried again.
  private static let rest = Duration.seconds(60)

  /// The result of a run of deletions.
  struct Removal: Sendable {
    /// The first failure; the other deletions are done.
    var failure: CopyFailure?
    /// Whether further tries in the target are useless.
    var isFatal = false
  }

  /// Deletes the copies that are due in a target.
  ///
  /// A row is removed only after its deletion is synced.
  func remove(from target: borrowing CopyTarget) throws(LibraryError) -> Removal {
    let now = system.monotonicTime()
    let key = key(target.identity)
    let isResting = state.withLock { now < $0.removals[key]?.due ?? now }
    guard !isResting else { return Removal() }
    var result = Removal()
    var failures = 0
    var last: CopyRemoval?
    while !result.isFatal, failures < Copier.maximumFailures {
      let removals = try catalog.removals(in: target.identity, after: last)
      guard let end = removals.last else { break }
      last = end
      for removal in removals {
        do throws(CopyFailure) {
          guard try delete(removal, target) else { continue }
          failures = 0
        } catch {
          result.failure = result.failure ?? error
          failures += 1
          result.isFatal = error.endsRound
          if result.isFatal || failures >= Copier.maximumFailures { break }
          continue
        }
        try catalog.forget(removal, in: target.identity)
      }
    }
    let words = result.failure?.words
    state.withLock { $0.removals[key] = words.map { (now + Copier.rest, $0) } }
    return result
  }

  // Returns whether the row is done.
  //
  // A planned deletion does not count if a power cut kept the photo in the library.
  private func delete(
    _ removal: CopyRemoval, _ target: borrowing CopyTarget
  ) throws(CopyFailure) -> Bool {
    // A row without a valid photo's name is damage.
    guard LibraryConfiguration.isAlbumName(removal.album), PhotoName.place(removal.name) != nil
    else { return true }
    guard let isThere = isThere(removal) else { return false }
    if isThere { return true }
    let photo = Photo(album: removal.album, name: removal.name, number: nil, path: "", bytes: 0)
    do throws(SystemError) {
      guard let album = try target.album(removal.album, makes: false) else { return true }
      let result = system.unlinkat(album.number, removal.name)
      if result != -Errno.noEntry { try system.check(result, "unlink") }
      try system.check(system.retrying { $0.fsync(album.number) }, "fsync")
      return true
    } catch {
      throw CopyFailure(.target, error, at: target.place(of: photo))
    }
  }

  // Returns whether the photo is in the library; nil if the library is away or cannot be read.
  private func isThere(_ removal: CopyRemoval) -> Bool? {
    let flags = clinux_o_path | clinux_o_nofollow
    let fd = system.open("\(catalog.root)/\(removal.album)/\(removal.name)", flags, 0)
    if fd >= 0 {
      _ = system.close(fd)
      return true
    }
    guard fd == -Errno.noEntry else { return nil }
    let catalog = system.open(Catalog.path(catalog.root), flags, 0)
    if catalog >= 0 { _ = system.close(catalog) }
    return catalog >= 0 ? false : nil
  }
}
