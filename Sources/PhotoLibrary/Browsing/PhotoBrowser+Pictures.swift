import CLinux
import Glibc
import Media
import Platform

// Reads the pictures that guests look at.
extension PhotoBrowser {
  /// Has a file looked at again that is no longer as it was listed.
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

  /// The whole file of a picture, as it is on the disk.
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

  /// A picture's file, open for reading; the caller closes it with ``OpenPhoto/close()``.
  public func open(_ id: String) throws(LibraryError) -> OpenPhoto {
    try onDisk(of: id, Purpose.files) { [self] worker throws(LibraryError) in
      let file: PhotoFile = try open(id)
      // The owner closes its own descriptor, so that a second one is handed over.
      let number = fcntl(file.file.number, F_DUPFD_CLOEXEC, 3)
      guard number >= 0 else {
        throw LibraryError(reading: SystemError(errno: errno, call: "fcntl"), at: id)
      }
      return OpenPhoto(
        number: number, bytes: file.bytes, modified: file.modified, worker: worker,
        patience: media.reading)
    }
  }

  /// Runs `body` on a thread that waits for the disk of that picture, for as long as it may take.
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

  /// A small JPEG of a picture; nil where none can be made of it.
  ///
  /// It is the one in the file where that can be used, else one that is made when it is first asked
  /// for and kept in memory while there is room. Throws if the picture is gone.
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
    // One at a time: a picture from outside may take much memory while it is opened.
    return try making.withLock { _ throws(LibraryError) -> [UInt8]? in
      if let known = thumbnails.find(key) { return known.bytes }
      let isOpened = item.kind == .image && item.bytes <= PhotoBrowser.maximumBytes
      let made = isOpened ? makeThumbnail(try original(of: id, for: Purpose.pictures)) : nil
      thumbnails.add(made, key)
      return made
    }
  }

  /// What a movie's head says; nil for what is none, or is gone.
  public func movie(of id: String) -> MovieFacts? {
    guard let item = item(id), item.kind == .movie else { return nil }
    let key = ThumbnailCache.Key(item)
    if let known = movies.withLock({ $0[key] }) { return known }
    guard let header = header(of: id), header.isMovie else { return nil }
    let facts = MovieFacts(
      width: header.size.width, height: header.size.height, durationMilliseconds: header.duration)
    movies.withLock { movies in
      // Nobody looks at so many; those who do look at some of them again.
      if movies.count >= Self.mostMovies { movies = [:] }
      movies[key] = facts
    }
    return facts
  }

  // Without `try?`: the compiler of Swift 6.0 fails where that meets a type that is not copied.
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

  /// The thumbnail in a file, if it can be shown as it is.
  private static func ownThumbnail(
    _ file: borrowing PhotoFile
  ) throws(SystemError) -> [UInt8]? {
    let header = try PhotoHeader.read(file)
    // A turned picture has a turned thumbnail, which does not say so itself.
    guard header.orientation == .upright, let range = header.thumbnail, range.count <= 64 << 10
    else {
      return nil
    }
    let bytes = try file.read(at: range.lowerBound, count: range.count)
    guard let size = PhotoHeader.size(ofJPEG: bytes), (16...512).contains(size.width),
      (16...512).contains(size.height), header.size.height > 0, header.size.width > 0
    else { return nil }
    // Cameras put black bars around pictures of another shape; those look bad in a row of others.
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

  // One directory after the other, so that no link is followed.
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
    LibraryError(.notFound, "there is no picture \"\(id)\" any more; look at the list again")
  }
}

extension Errno {
  static func isAbsence(_ errno: Int32) -> Bool {
    [noEntry, noDevice, noSuchDevice, stale, notConnected, notADirectory, loop].contains(errno)
  }
}
