import CLinux
import Glibc
import Platform

/// The names by which people know the albums of a library.
///
/// A directory of copies may have an album under an escaped name (``PortableName``). When such a
/// directory is read as a library, its albums get their own names back. In every other library the
/// directory's name is the album's.
package struct AlbumTitles: Sendable, Hashable {
  /// Whether the root's directories have escaped names, as in a directory of copies.
  let areCopies: Bool

  /// Reads whether the directory at `root` holds copies, blocking on the disk.
  package init(root: String, system: any SystemCalls = LinuxSystemCalls()) {
    let folder = system.open(root, clinux_o_directory | clinux_o_path, 0)
    guard folder >= 0 else {
      areCopies = false
      return
    }
    defer { _ = system.close(folder) }
    areCopies = AlbumTitles.areCopies(in: folder, system)
  }

  /// Creates the titles for a directory with or without copies.
  init(areCopies: Bool) { self.areCopies = areCopies }

  /// Returns whether an open directory has the mark of a directory of copies.
  static func areCopies(in folder: Int32, _ system: any SystemCalls) -> Bool {
    let mark = system.openat(folder, CopyTarget.mark, clinux_o_path | clinux_o_nofollow, 0)
    guard mark >= 0 else { return false }
    defer { _ = system.close(mark) }
    var status = stat()
    return system.fstat(mark, &status) >= 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the name by which people know the album in a directory.
  ///
  /// The title is for people only, because it may hold any character and is no path.
  package func title(_ directory: String) -> String {
    guard areCopies else { return directory }
    return String(validating: PortableName.album(directory.utf8), as: UTF8.self) ?? directory
  }

  /// Returns the directory among `directories` whose name or title is `word`, or nil.
  ///
  /// Of several with the same title, the directory with the word's own bytes wins.
  package func directory(_ word: String, among directories: [String]) -> String? {
    directories.first { $0.hasBytes(of: word) }
      ?? directories.filter { title($0) == word }.min { $0.utf8.count < $1.utf8.count }
  }
}
