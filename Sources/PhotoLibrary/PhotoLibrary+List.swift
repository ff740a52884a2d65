import CLinux
import Platform

extension PhotoLibrary {
  /// Returns the photos of an album, newest first; pictures from elsewhere follow by name.
  ///
  /// The call needs no open library, so that it works beside a running station. Empty files and
  /// objects that are no regular files are left out. Blocks on the disk.
  public static func photos(
    root: String, album: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) -> [Photo] {
    guard LibraryConfiguration.isAlbumName(album) else { throw .invalidAlbum(album) }
    let path = "\(root)/\(album)"
    do throws(SystemError) {
      let directory = try AlbumDirectory.open(album, of: root, system)
      var photos: [Photo] = []
      for name in try system.entries(path).get() {
        let number = PhotoName.place(name).map { $0 / 2 }
        guard number != nil || PhotoName.isPicture(name) else { continue }
        guard let file = facts(of: name, in: directory.number, system), file.bytes > 0 else {
          continue
        }
        photos.append(
          Photo(
            album: album, name: name, number: number, path: "\(path)/\(name)", bytes: file.bytes,
            modified: file.modified))
      }
      return photos.sorted {
        switch ($0.number, $1.number) {
        case (let left?, let right?): left > right
        case (nil, nil): FileName($0.name) < FileName($1.name)
        case (let left, _): left != nil
        }
      }
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  /// Returns the albums below a root, by name; blocks on the disk.
  public static func albums(
    root: String, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) -> [String] {
    do throws(SystemError) {
      let folder = try Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
      let number = folder.number
      let names = try system.entries(root).get().filter { name in
        let fd = AlbumDirectory.number(name, in: number, system)
        if fd >= 0 { _ = system.close(fd) }
        return fd >= 0
      }
      withExtendedLifetime(folder) {}
      return names.map(FileName.init).sorted().map(\.text)
    } catch {
      throw LibraryError(error, at: root)
    }
  }

  /// Returns the size of a regular file and the second of its last change.
  ///
  /// A file that disappears meanwhile counts as missing.
  static func facts(
    of name: String, in directory: Int32, _ system: any SystemCalls
  ) -> (bytes: Int, modified: Int64)? {
    let fd = system.openat(directory, name, clinux_o_path | clinux_o_nofollow, 0)
    guard fd >= 0 else { return nil }
    defer { _ = system.close(fd) }
    var status = stat()
    guard system.fstat(fd, &status) >= 0, status.st_mode & 0o170000 == 0o100000 else { return nil }
    return (Int(status.st_size), Int64(status.st_mtim.tv_sec))
  }
}

extension LibraryError {
  static func invalidAlbum(_ name: String) -> LibraryError {
    LibraryError(
      .invalidAlbum,
      "\"\(name)\" cannot be an album: take 1 to 64 bytes without a slash, not beginning with a "
        + "dot, and not \"lost+found\""
    )
  }
}
