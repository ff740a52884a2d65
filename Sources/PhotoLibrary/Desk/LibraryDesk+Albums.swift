import CLinux
import Glibc
import Platform

extension LibraryDesk {
  /// Starts a new album: creates its directory and makes it the current album.
  ///
  /// `configured` is the configuration's album. When the configuration names another album later,
  /// that one becomes current again. A running station switches to the new album when it reloads.
  public func start(album: String, configured: String) throws(LibraryError) {
    try CurrentAlbum.start(album, configured: configured, root: configuration.root, system: system)
  }
}

/// The current album, which was started last.
package enum CurrentAlbum {
  static let name = ".retake.album"

  /// Creates an album's directory in the library at `root` and makes it the current album.
  ///
  /// `configured` is the configuration's album. When the configuration names another album later,
  /// that one becomes current again. Blocks on the disk.
  package static func start(
    _ album: String, configured: String, root: String,
    system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    guard LibraryConfiguration.isAlbumName(album) else { throw .invalidAlbum(album) }
    do throws(SystemError) {
      let folder = try Descriptor(opening: root, flags: clinux_o_directory, system: system)
      let made = system.mkdirat(folder.number, album, 0o755)
      if made != -Errno.exists { try system.check(made, "mkdir", "\(root)/\(album)") }
      try StateFile.replace(
        name, temporary: name + ".part",
        with: Array("\(album)\n\(configured)\n".utf8), in: folder.number, at: root, system)
    } catch {
      throw LibraryError(error, at: root)
    }
  }

  /// Returns a name for the album after `album` that is not in `taken`.
  ///
  /// The name ends with the next number, or with 2 if the album has no number.
  package static func next(after album: String, taken: [String]) -> String {
    var parts = album.split(separator: "-", omittingEmptySubsequences: false)
    var (stem, number) = (album, 1)
    // The end of a date, such as `2026-12-24`, is no album's number.
    let isDate = parts.suffix(3).map(\.count) == [4, 2, 2]
    if !isDate, parts.count > 1, let last = parts.popLast(), last.count < 7,
      last.first != "0", let known = Int(last), known > 0
    {
      (stem, number) = (parts.joined(separator: "-"), known)
    }
    repeat { number += 1 } while taken.contains("\(stem)-\(number)")
    return "\(stem)-\(number)"
  }

  /// Returns the current album: the one that was started last, unless the configuration named
  /// another since.
  package static func read(
    root: String, configured: String, system: any SystemCalls = LinuxSystemCalls()
  ) -> String {
    let opened = try? Descriptor(
      opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
    guard let folder = opened,
      let text = (try? StateFile.read(name, in: folder.number, limit: 256, system)) ?? nil
    else { return configured }
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[1].elementsEqual(configured.utf8),
      let album = String(validating: lines[0], as: UTF8.self),
      LibraryConfiguration.isAlbumName(album)
    else { return configured }
    return album
  }
}
