import CLinux
import Glibc
import Platform

extension AlbumStore {
  // The space is low if it holds fewer worst-case photos than this.
  private static let few = 50

  /// Returns whether the disk has room for a photo of at most `bytes` bytes.
  mutating func room(for bytes: Int) -> StorageState {
    do throws(LibraryError) {
      try refresh()
    } catch {
      return StorageState(error.code)
    }
    var status = statfs()
    let result = system.fstatfs(folders.album.number, &status)
    if result < 0 { return StorageState(LibraryError.Code(errno: 0 - result)) }
    if Int(status.f_flags) & 1 != 0 { return .readOnly }  // ST_RDONLY
    let access = system.access(folders.album.number, W_OK | X_OK)
    if access < 0, access != -Errno.notImplemented {
      return StorageState(LibraryError.Code(errno: 0 - access))
    }
    let total = AlbumStore.bytes(UInt(status.f_blocks), Int(status.f_bsize))
    let free =
      AlbumStore.bytes(UInt(status.f_bavail), Int(status.f_bsize))
      - configuration.reserve.bytes(of: total)
    // File systems without a fixed number of inodes report 0 for both counts.
    if status.f_files > 0, status.f_ffree < 8 { return .full }
    if free < max(0, bytes) { return .full }
    if !configuration.allowsVolatile, let name = volatileName(FileSystemType(status)) {
      return .volatile(name)
    }
    return free / AlbumStore.few < bytes ? .low(free: free) : .ok(free: free)
  }

  private static func bytes(_ blocks: UInt, _ size: Int) -> Int {
    let (bytes, overflow) = Int(clamping: blocks).multipliedReportingOverflow(by: size)
    return overflow ? .max : bytes
  }

  // MARK: - Disks that forget

  private func volatileName(_ type: FileSystemType) -> String? {
    switch type {
    case .tmpfs: "a RAM disk (tmpfs)"
    case .ramfs: "a RAM disk (ramfs)"
    case .overlay where isThrowAwayOverlay(): "a throw-away overlay"
    default: nil
    }
  }

  // An overlay loses its data at power-off if its upper directory is on a RAM disk. That directory
  // may be hidden after the root was switched; then the boot options show such an overlay.
  private func isThrowAwayOverlay() -> Bool {
    var status = stat()
    guard system.fstat(folders.album.number, &status) >= 0 else { return false }
    let mounts = Mount.mounted() ?? []
    let own = mounts.first { $0.device == status.st_dev && $0.upperDirectory != nil }
    if let upper = own?.upperDirectory {
      let fd = system.open(upper, clinux_o_directory | clinux_o_path, 0)
      defer { if fd >= 0 { _ = system.close(fd) } }
      var below = statfs()
      if fd >= 0, system.fstatfs(fd, &below) >= 0 {
        return FileSystemType(below).isInMemory
      }
    }
    let options = readText("/proc/cmdline").split { $0 == " " || $0 == "\n" }
    return options.contains { $0 == "boot=overlay" || $0.hasPrefix("overlayroot=tmpfs") }
  }

  private func readText(_ path: String) -> String {
    let fd = system.open(path, O_RDONLY, 0)
    guard fd >= 0 else { return "" }
    defer { _ = system.close(fd) }
    let text = try? system.readAll(fd, limit: 4_000_000)
    return String(decoding: text ?? [], as: UTF8.self)
  }
}

extension StorageState {
  /// Creates the state that follows from an error.
  init(_ code: LibraryError.Code) {
    self =
      switch code {
      case .full, .numbersUsedUp: .full
      case .readOnly: .readOnly
      case .denied: .denied
      case .gone, .notADirectory: .gone
      case .invalidAlbum, .inUse, .failing, .silent, .spent, .notFound, .exists: .failing
      }
  }
}
