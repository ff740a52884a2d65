import CLinux
import Glibc
import Platform

/// The paths of the catalog and of the files that SQLite keeps beside it.
struct CatalogPlace: Sendable {
  /// The catalog's path with all links resolved, because SQLite follows none here.
  let path: String
  private let root: String
  private let system: any SystemCalls

  /// Resolves the path of the library at `root`.
  init(_ root: String, _ system: any SystemCalls) {
    var real = root
    if let folder = try? Descriptor(
      opening: root, flags: clinux_o_directory | clinux_o_path, system: system),
      case .success(let found) = system.readlink("/proc/self/fd/\(folder.number)"),
      found.hasPrefix("/")
    {
      real = found
    }
    self.root = real
    self.system = system
    path = "\(real)/\(CatalogPlace.names[0])"
  }

  /// Renames objects with the catalog's names that are no regular files, because SQLite would block
  /// on a pipe.
  ///
  /// A rollback journal is deleted. The catalog has a write-ahead log, so that the journal is
  /// foreign; and SQLite would delete any file that it names as its super-journal.
  func clear() throws(LibraryError) {
    do throws(SystemError) {
      let folder = try Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
      for name in CatalogPlace.names {
        try OwnFile.clear(name, in: folder.number, at: root, system)
      }
      _ = system.unlinkat(folder.number, CatalogPlace.journal)
    } catch {
      throw LibraryError(error, at: root)
    }
  }

  /// Whether all names are free or belong to regular files.
  var isSound: Bool {
    guard
      let folder = try? Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
    else { return false }
    let number = folder.number
    let isSound = CatalogPlace.names.allSatisfy {
      OwnFile.isFreeOrRegular($0, in: number, system)
    }
    withExtendedLifetime(folder) {}
    return isSound
  }

  /// Renames a damaged catalog, replacing an older damaged one, and deletes the files beside it.
  ///
  /// Returns the damaged catalog's new path.
  func setAside() -> String {
    let aside = CatalogPlace.names[0] + ".damaged"
    guard
      let folder = try? Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
    else { return path }
    let number = folder.number
    try? OwnFile.clear(aside, in: number, at: root, system)
    let isMoved = system.rename(number, CatalogPlace.names[0], aside) >= 0
    for name in CatalogPlace.names.dropFirst(isMoved ? 1 : 0) {
      try? OwnFile.clear(name, in: number, at: root, system)
      _ = system.unlinkat(number, name)
    }
    withExtendedLifetime(folder) {}
    return "\(root)/\(aside)"
  }

  private static let journal = ".retake.catalog-journal"
  private static let names = [
    ".retake.catalog", ".retake.catalog-wal", ".retake.catalog-shm", journal,
  ]
}
