import CLinux
import Glibc
import Platform

extension LibraryDesk {
  /// Starts a new album: makes its directory, and notes that photos go there from now on.
  ///
  /// `configured` is the album of the configuration: when that is changed later it counts again. A
  /// running station takes it when it is told to reload.
  public func start(album: String, configured: String) throws(LibraryError) {
    guard LibraryConfiguration.isAlbumName(album) else { throw .invalidAlbum(album) }
    let root = configuration.root
    do throws(SystemError) {
      let folder = try Descriptor(opening: root, flags: clinux_o_directory, system: system)
      let made = system.mkdirat(folder.number, album, 0o755)
      if made != -Errno.exists { try system.check(made, "mkdir", "\(root)/\(album)") }
      let text = Array("\(album)\n\(configured)\n".utf8)
      let temporary = CurrentAlbum.name + ".part"
      let file = try OwnFile.make(temporary, in: folder.number, at: root, system)
      let fd = file.number
      let count = text.withUnsafeBytes { system.write(fd, $0) }
      try system.check(count == text.count ? count : Int(-Errno.noSpace), "write", root)
      try system.check(system.fsync(fd), "fsync", "\(root)/\(temporary)")
      try OwnFile.replace(
        CurrentAlbum.name, by: temporary, in: folder.number, at: root, system)
      try system.check(
        system.syncRenamed(fd, in: folder.number), "fsync", "\(root)/\(CurrentAlbum.name)")
    } catch {
      throw LibraryError(error, at: root)
    }
  }
}

/// The album that was started last.
public enum CurrentAlbum {
  static let name = ".retake.album"

  /// The album that photos go to: the one that was started last, unless the configuration named
  /// another since.
  public static func read(
    root: String, configured: String, system: any SystemCalls = LinuxSystemCalls()
  ) -> String {
    guard
      let folder = try? Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system),
      let file = try? OwnFile.open(name, in: folder.number, at: root, flags: O_RDONLY, system)
    else { return configured }
    var text = [UInt8](repeating: 0, count: 256)
    let number = file.number
    let count = text.withUnsafeMutableBytes { system.read(number, $0) }
    withExtendedLifetime(file) {}
    let lines = text.prefix(max(0, count)).split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[1].elementsEqual(configured.utf8) else { return configured }
    let album = String(decoding: lines[0], as: UTF8.self)
    return LibraryConfiguration.isAlbumName(album) ? album : configured
  }
}
