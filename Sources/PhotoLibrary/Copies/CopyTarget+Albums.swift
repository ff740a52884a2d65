import CLinux
import Glibc
import Platform

/// The directories of the albums in a target; for one thread.
final class AlbumNames {
  // The keys are bytes, because Swift considers some names with different bytes equal.
  fileprivate var known: [[UInt8]: String] = [:]
  /// The albums whose directories were compared with the library's, and whether they are apart.
  var apart: [[UInt8]: Bool] = [:]
}

extension CopyTarget {
  /// Opens an album's directory in the target, and creates it if it is missing.
  ///
  /// The directory has an escaped name (``PortableName``) if the file system cannot store the
  /// album's name, or has another album under it. Returns nil if the directory is missing and
  /// `makes` is false.
  func album(_ name: String, makes: Bool = true) throws(SystemError) -> Descriptor? {
    let place = "\(path)/\(name)"
    guard LibraryConfiguration.isAlbumName(name) else {
      throw SystemError(errno: Errno.invalid, call: "open", path: place)
    }
    let key = Array(name.utf8)
    var known = albums.known[key]
    if known == nil { known = try find(album: key) }
    if known == nil, makes { known = try make(album: name) }
    guard let directory = known else { return nil }
    albums.known[key] = directory
    let flags = clinux_o_directory | clinux_o_nofollow
    let fd = system.retrying { $0.openBeneath(folder.number, directory, flags, 0) }
    if fd == -Errno.noEntry { albums.known[key] = nil }
    if fd == -Errno.noEntry, !makes { return nil }
    try system.check(fd, "open", "\(path)/\(directory)")
    return Descriptor(owning: fd, system: system)
  }

  /// Looks up the directory of an album, so that ``folder(of:)`` names it as it is.
  func lookUp(_ album: String) {
    // `_ = try?` of a noncopyable value crashes the compiler of Swift 6.0.
    do throws(SystemError) {
      guard let found = try self.album(album, makes: false) else { return }
      _ = found.number
    } catch {}
  }

  /// Returns the path of a photo's present or future copy.
  func place(of photo: Photo) -> String { "\(folder(of: photo))/\(photo.name)" }

  /// Returns the path of the directory of a photo's copy.
  func folder(of photo: Photo) -> String {
    "\(path)/\(albums.known[Array(photo.album.utf8)] ?? photo.album)"
  }

  // Returns the directory whose name means the album; the shortest one if there are several.
  private func find(album: [UInt8]) throws(SystemError) -> String? {
    let found = try directories { PortableName.album($0) == album }
    return found.min { ($0.utf8.count, FileName($0)) < ($1.utf8.count, FileName($1)) }
  }

  private func directories(
    where isWanted: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(SystemError) -> [String] {
    var found: [String] = []
    // The scan uses the descriptor, because the path may lead elsewhere by now.
    let result = system.scan("/proc/self/fd/\(folder.number)") { name in
      guard found.count < 16, isWanted(name) else { return }
      found.append(String(decoding: name, as: UTF8.self))
    }
    try system.check(result, "readdir", path)
    return found
  }

  private func make(album: String) throws(SystemError) -> String {
    var refusal: Int32 = 0
    for name in PortableName.candidates(album, isNarrow: isNarrow) {
      let made = system.mkdirat(folder.number, name, 0o755)
      switch made {
      case 0...:
        try system.check(system.retrying { $0.fsync(folder.number) }, "fsync", path)
        // Some file systems drop a part of the name without an error.
        let bytes = Array(name.utf8)
        let kept = try directories { $0.elementsEqual(bytes) }
        if !kept.isEmpty { return name }
        refusal = -Errno.invalid
      // The name differs from another album's in case only, is a file's, or is invalid there.
      case -Errno.exists, -Errno.invalid, -Errno.illegalSequence, -Errno.nameTooLong:
        refusal = made
      default: try system.check(made, "mkdir", "\(path)/\(name)")
      }
    }
    throw SystemError(
      errno: refusal == -Errno.exists ? Errno.notADirectory : 0 - refusal, call: "mkdir",
      path: "\(path)/\(album)")
  }

  // Whether the file system may refuse, drop or change characters that Linux's own file systems
  // store.
  private var isNarrow: Bool {
    var status = statfs()
    guard system.fstatfs(folder.number, &status) >= 0 else { return true }
    return !FileSystemType.linux.union([.overlay, .nfs]).contains(FileSystemType(status))
  }
}
