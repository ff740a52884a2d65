import CLinux
import Glibc
import Platform

/// Where the catalog and the files that SQLite keeps beside it are.
struct CatalogPlace: Sendable {
  /// The catalog's path without a link in it, which SQLite follows none of.
  let path: String
  private let root: String
  private let system: any SystemCalls

  /// Finds the library at `root`, as it is now.
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

  /// Sets aside what is no file and has the name of one: SQLite would wait for a pipe.
  ///
  /// A rollback journal is removed: none is ours while the catalog has a write-ahead log, and SQLite
  /// deletes the file that one names as its super-journal, wherever that is.
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

  /// Whether all of them are files, or not there.
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

  /// Gives a damaged catalog another name, in place of one that was damaged before, and removes the
  /// files beside it; returns the path that it has then.
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
