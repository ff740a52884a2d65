import CLinux
import Glibc
import Media
import Platform

// Reading of the pictures that guests look at.
extension PhotoBrowser {
  /// Schedules a new look at a listed file if its size or date changed.
  private func noteChange(of address: PictureAddress, _ file: borrowing PhotoFile) {
    index.withLock { index in
      let album = FileName(address.album)
      let directory = index.roots[address.root].directories[album]
      guard let entry = directory?.entry(address.name),
        entry.bytes != file.bytes || entry.modified != file.modified
      else { return }
      index.roots[address.root].directories[album]?.changed.insert(FileName(address.name))
      index.changes &+= 1
    }
  }

  /// Returns the whole file of a picture, blocking on its disk.
  public func original(of id: String) throws(LibraryError) -> [UInt8] {
    try original(of: id, for: Purpose.files)
  }

  private func original(of id: String, for purpose: String) throws(LibraryError) -> [UInt8] {
    try onDisk(of: id, purpose) { [self] _ throws(LibraryError) in
      let file: PhotoFile = try open(id)
      do throws(SystemError) {
        guard file.bytes <= PhotoBrowser.maximumBytes else {
          throw SystemError(errno: EFBIG, call: "read")
        }
        return try file.read(at: 0, count: file.bytes)
      } catch {
        throw LibraryError(reading: error, at: id)
      }
    }
  }

  /// Opens a picture's file for reading; the caller closes it with ``OpenPhoto/close()``.
  public func open(_ id: String) throws(LibraryError) -> OpenPhoto {
    try onDisk(of: id, Purpose.files) { [self] worker throws(LibraryError) in
      let file: PhotoFile = try open(id)
      // The caller gets a duplicate, because the owner closes its own descriptor.
      let number = fcntl(file.file.number, F_DUPFD_CLOEXEC, 3)
      guard number >= 0 else {
        throw LibraryError(reading: SystemError(errno: errno, call: "fcntl"), at: id)
      }
      return OpenPhoto(
        number: number, bytes: file.bytes, modified: file.modified, worker: worker,
        patience: media.reading)
    }
  }

  /// Runs `body` on the worker thread for the picture's disk, and waits for it as long as allowed.
  private func onDisk<Value: Sendable>(
    of id: String, _ purpose: String,
    _ body: @escaping @Sendable (AbandonableWorker) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    guard let address = PictureAddress(id), item(id) != nil else {
      throw LibraryError.noPicture(id)
    }
    let worker = media.worker(purpose, for: configuration.places[address.root])
    let result: Result<Value, LibraryError>
    do throws(MediumSilence) {
      result = try worker.run(media.reading) { _ in
        do throws(LibraryError) {
          return .success(try body(worker))
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw LibraryError(error)
    }
    return try result.get()
  }

  /// Returns a small JPEG of a picture; nil if none can be made.
  ///
  /// The file's own thumbnail is returned if it can be used. Otherwise a thumbnail is made on the
  /// first request and kept in memory while there is room. Throws if the picture is gone.
  public func thumbnail(of id: String) throws(LibraryError) -> [UInt8]? {
    guard let item = item(id) else { throw LibraryError.noPicture(id) }
    let key = ThumbnailCache.Key(item)
    if let known = thumbnails.find(key) { return known.bytes }
    let own = try onDisk(of: id, Purpose.pictures) { [self] _ throws(LibraryError) -> [UInt8]? in
      let file: PhotoFile = try open(id)
      do throws(SystemError) {
        return try PhotoBrowser.ownThumbnail(file)
      } catch {
        throw LibraryError(reading: error, at: item.path)
      }
    }
    if let own {
      thumbnails.add(own, key)
      return own
    }
    // Thumbnails are made one at a time, because decoding a foreign picture may take much memory.
    return try making.withLock { _ throws(LibraryError) -> [UInt8]? in
      if let known = thumbnails.find(key) { return known.bytes }
      let isOpened = item.kind == .image && item.bytes <= PhotoBrowser.maximumBytes
      let made = isOpened ? makeThumbnail(try original(of: id, for: Purpose.pictures)) : nil
      thumbnails.add(made, key)
      return made
    }
  }

  /// Returns the properties in a movie's header; nil for a file that is no movie, or is gone.
  public func movie(of id: String) -> MovieFacts? {
    guard let item = item(id), item.kind == .movie else { return nil }
    let key = ThumbnailCache.Key(item)
    if let known = movies.withLock({ $0[key] }) { return known }
    guard let header = header(of: id), header.isMovie else { return nil }
    let facts = MovieFacts(
      width: header.size.width, height: header.size.height, durationMilliseconds: header.duration)
    movies.withLock { movies in
      // Guests rarely look at so many movies; clearing the cache then costs some repeated reads.
      if movies.count >= Self.mostMovies { movies = [:] }
      movies[key] = facts
    }
    return facts
  }

  // No `try?`: the compiler of Swift 6.0 fails where it meets a noncopyable type.
  private func header(of id: String) -> PhotoHeader? {
    do throws(LibraryError) {
      return try onDisk(of: id, Purpose.files) { [self] _ throws(LibraryError) in
        let file: PhotoFile = try open(id)
        do throws(SystemError) {
          return try PhotoHeader.read(file)
        } catch {
          throw LibraryError(reading: error, at: id)
        }
      }
    } catch {
      return nil
    }
  }

  /// Returns the thumbnail in a file, if it can be shown as it is.
  private static func ownThumbnail(
    _ file: borrowing PhotoFile
  ) throws(SystemError) -> [UInt8]? {
    let header = try PhotoHeader.read(file)
    // The thumbnail of a rotated picture is rotated, too, but has no orientation of its own.
    guard header.orientation == .upright, let range = header.thumbnail, range.count <= 64 << 10
    else {
      return nil
    }
    let bytes = try file.read(at: range.lowerBound, count: range.count)
    guard let size = PhotoHeader.size(ofJPEG: bytes), (16...512).contains(size.width),
      (16...512).contains(size.height), header.size.height > 0, header.size.width > 0
    else { return nil }
    // Cameras put black bars around thumbnails of another shape; these look bad in a row of others.
    let difference = size.width * header.size.height - size.height * header.size.width
    return difference.magnitude * 20 <= (size.width * header.size.height).magnitude ? bytes : nil
  }

  private func open(_ id: String) throws(LibraryError) -> PhotoFile {
    guard let address = PictureAddress(id), item(id) != nil else {
      throw LibraryError.noPicture(id)
    }
    do throws(SystemError) {
      let root = configuration.places[address.root]
      let flags = clinux_o_directory | clinux_o_path
      let top = try Descriptor(opening: root, flags: flags, system: system)
      let file = try PhotoBrowser.open(address, address.folders[...], top, system)
      if let file {
        noteChange(of: address, file)
        return file
      }
    } catch {
      if Errno.isAbsence(error.errno) { throw LibraryError.noPicture(id) }
      throw LibraryError(reading: error, at: id)
    }
    throw LibraryError.noPicture(id)
  }

  // Opens one directory after the other, so that no link is followed.
  private static func open(
    _ address: PictureAddress, _ rest: ArraySlice<String>, _ directory: borrowing Descriptor,
    _ system: any SystemCalls
  ) throws(SystemError) -> PhotoFile? {
    guard let name = rest.first else {
      return try PhotoFile.open(address.name, in: directory.number, system)
    }
    let flags = clinux_o_directory | clinux_o_path | clinux_o_nofollow
    let fd = system.openat(directory.number, name, flags, 0)
    let inner = Descriptor(owning: try system.check(fd, "open", name), system: system)
    return try open(address, rest.dropFirst(), inner, system)
  }
}

extension LibraryError {
  static func noPicture(_ id: String) -> LibraryError {
    LibraryError(
      .notFound, "there is no picture \"\(id)\" any more",
      fix: "look at the list again")
  }
}

extension Errno {
  static func isAbsence(_ errno: Int32) -> Bool {
    [noEntry, noDevice, noSuchDevice, stale, notConnected, notADirectory, loop].contains(errno)
  }
}
