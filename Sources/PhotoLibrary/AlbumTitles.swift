import CLinux
import Glibc
import Platform

/// The names by which people know the albums of a library.
///
/// A directory of copies may have an album under an escaped name (``PortableName``); read as a
/// library, its albums are called by their own names again. In every other library a directory's
/// name is the album's.
public struct AlbumTitles: Sendable, Hashable {
  /// Whether the directories of the root have the names that copies get.
  let areCopies: Bool

  /// Looks whether the directory at `root` holds copies; it blocks on the disk.
  public init(root: String, system: any SystemCalls = LinuxSystemCalls()) {
    let folder = system.open(root, clinux_o_directory | clinux_o_path, 0)
    guard folder >= 0 else {
      areCopies = false
      return
    }
    defer { _ = system.close(folder) }
    areCopies = AlbumTitles.areCopies(in: folder, system)
  }

  /// Makes the titles of a directory that holds copies, or of one that does not.
  init(areCopies: Bool) { self.areCopies = areCopies }

  /// Whether an open directory has the mark of one that copies go to.
  static func areCopies(in folder: Int32, _ system: any SystemCalls) -> Bool {
    let mark = system.openat(folder, CopyTarget.mark, clinux_o_path | clinux_o_nofollow, 0)
    guard mark >= 0 else { return false }
    defer { _ = system.close(mark) }
    var status = stat()
    return system.fstat(mark, &status) >= 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The name by which people know the album in a directory.
  ///
  /// It is for people only: it may hold any character, and is no path.
  public func title(_ directory: String) -> String {
    guard areCopies else { return directory }
    return String(validating: PortableName.album(directory.utf8), as: UTF8.self) ?? directory
  }

  /// The directory among `directories` that `word` names, as it is there or as people call it; nil
  /// where there is none.
  ///
  /// Of several that read the same the one with the word's own bytes is meant.
  public func directory(_ word: String, among directories: [String]) -> String? {
    directories.first { $0.hasBytes(of: word) }
      ?? directories.filter { title($0) == word }.min { $0.utf8.count < $1.utf8.count }
  }
}
