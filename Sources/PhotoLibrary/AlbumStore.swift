import CLinux
import Glibc
import Platform

/// What an open library knows and holds; its user sees to it that one call at a time is made.
struct AlbumStore: ~Copyable, @unchecked Sendable {
  let configuration: LibraryConfiguration
  let system: any SystemCalls
  let log = Log("library")
  var folders: AlbumFolders
  /// The number that the next photo gets.
  var next = 1
  /// The highest number that the disk has as promised; those up to it may be used.
  var reserved = 0
  /// Photos that could not be undone after their commit failed: never listed, removed when it can
  /// be.
  var unwanted: Set<String> = []
  private var prepared = 0
  /// What is being committed.
  var committing = PhotoKind.image
  /// Whether another station may have the library since.
  var isClosed = false
  /// Whether candidates can wait in unnamed files, as far as is known.
  var hasUnnamedFiles = true

  private init(
    _ configuration: LibraryConfiguration, _ system: any SystemCalls,
    _ folders: consuming AlbumFolders
  ) {
    self.configuration = configuration
    self.system = system
    self.folders = folders
  }

  /// Opens the directories, removes what a crash left, and finds out which number is next.
  static func open(
    _ configuration: LibraryConfiguration, _ system: any SystemCalls
  ) throws(LibraryError) -> AlbumStore {
    guard LibraryConfiguration.isAlbumName(configuration.album) else {
      throw .invalidAlbum(configuration.album)
    }
    let folders = try AlbumFolders.open(configuration, system)
    var store = AlbumStore(configuration, system, folders)
    let highest = try store.removeLeftovers()
    try store.loadSequence(highest: highest)
    return store
  }

  var path: String { "\(configuration.root)/\(configuration.album)" }

  /// Passes a result on, or throws it in the operator's words.
  @discardableResult
  func check<Value: SignedInteger>(
    _ value: Value, _ call: String, _ name: String? = nil
  ) throws(LibraryError) -> Value {
    do throws(SystemError) {
      return try system.check(value, call, name.map { "\(path)/\($0)" } ?? path)
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  /// Writes a still to the disk, under no name.
  mutating func prepare(_ segments: [UnsafeRawBufferPointer]) throws(LibraryError) -> Candidate {
    let bytes = segments.reduce(0) { $0 + $1.count }
    precondition(bytes > 0, "a still without bytes")
    try refresh()
    removeUnwanted()
    // Now, while the guest looks: accepting then costs one sync.
    try reserveNumber()
    prepared += 1
    let checksum = Checksum(of: segments)
    if let file = try openUnnamed() {
      try writeAll(file.number, segments)
      // Not tried again when it fails: the kernel reports a lost page once.
      try check(system.retrying { $0.fdatasync(file.number) }, "fdatasync")
      return Candidate(id: prepared, bytes: bytes, checksum: checksum, content: .unnamed(file))
    }
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes)
    for segment in segments { copy.append(contentsOf: segment) }
    return Candidate(id: prepared, bytes: bytes, checksum: checksum, content: .memory(copy))
  }

  /// Opens a file that a movie grows in, under no name.
  mutating func beginMovie() throws(LibraryError) -> Descriptor {
    try refresh()
    removeUnwanted()
    try reserveNumber()
    if let file = try openUnnamed() { return file }
    return try openNameless()
  }

  // A still's bytes wait in memory where there are no unnamed files; a movie would be too much. Its
  // file has a name for a moment, which the next start removes if that is the last of this one.
  private mutating func openNameless() throws(LibraryError) -> Descriptor {
    let name = ".retake-movie.part"
    let album = folders.album.number
    do throws(SystemError) {
      let file = try OwnFile.make(
        name, in: album, at: path, flags: O_RDWR | O_CREAT | O_EXCL | clinux_o_nofollow, system)
      // Some file systems of FUSE keep the name of an open file.
      if system.unlinkat(album, name) < 0 { unwanted.insert(name) }
      return file
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  /// Waits until the disk has the movie.
  mutating func prepare(
    _ file: consuming Descriptor, bytes: Int
  ) throws(LibraryError) -> Candidate {
    try reserveNumber()
    prepared += 1
    // Not tried again when it fails: the kernel reports a lost page once.
    try check(system.retrying { $0.fdatasync(file.number) }, "fdatasync")
    return Candidate(
      id: prepared, bytes: bytes, checksum: nil, content: .unnamed(file), kind: .movie)
  }

  // Nil where the file system has none.
  private mutating func openUnnamed() throws(LibraryError) -> Descriptor? {
    guard hasUnnamedFiles else { return nil }
    // No O_EXCL, which would forbid the link; readable, for the way without links.
    let fd = system.retrying {
      $0.openat(folders.album.number, ".", clinux_o_tmpfile | O_RDWR, 0o644)
    }
    switch fd {
    case -Errno.notSupported, -Errno.isADirectory, -Errno.invalid, -Errno.notImplemented:
      hasUnnamedFiles = false
      log.notice("\(path) has no unnamed files: candidates wait in memory")
      return nil
    default:
      try check(fd, "open")
      return Descriptor(owning: fd, system: system)
    }
  }

  /// Writes everything, however short the single writes are.
  func writeAll(
    _ fd: Int32, _ segments: [UnsafeRawBufferPointer]
  ) throws(LibraryError) {
    do throws(SystemError) {
      try system.writeAll(fd, parts: segments)
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  // MARK: - Directories that come and go

  /// Opens the directories again if those at the path are no longer the ones that are held.
  mutating func refresh() throws(LibraryError) {
    try checkOpen()
    if isSame(path, folders.album.number) { return }
    if isSame(configuration.root, folders.root.number) {
      let album = try AlbumFolders.openAlbum(folders.root.number, configuration, system)
      log.warning("\(path) was removed or replaced while it was in use")
      folders.album = album
    } else {
      let fresh = try AlbumFolders.open(configuration, system)
      guard folders.isOnSystemDisk || !fresh.isOnSystemDisk else {
        throw LibraryError(
          .gone, "the disk of \(path) is no longer mounted; plug it in and mount it again")
      }
      log.warning("\(configuration.root) was removed or replaced while it was in use")
      folders = fresh
      // What was promised is to be written down there, too.
      reserved = next - 1
    }
    hasUnnamedFiles = true
    let highest = try removeLeftovers()
    if highest >= next {
      next = highest + 1
      reserved = max(reserved, highest)
    }
  }

  private func isSame(_ path: String, _ held: Int32) -> Bool {
    let fd = system.open(path, clinux_o_directory | clinux_o_path, 0)
    guard fd >= 0 else { return false }
    defer { _ = system.close(fd) }
    var (there, here) = (stat(), stat())
    return system.fstat(fd, &there) >= 0 && system.fstat(held, &here) >= 0
      && there.st_dev == here.st_dev && there.st_ino == here.st_ino
  }

  // What a crash left on the way without unnamed files. Returns the highest number that counts:
  // files of others in the last tenth of the numbers leave all below to the station, which passes
  // over each name that is taken.
  private func removeLeftovers() throws(LibraryError) -> Int {
    var highest = 0
    var leftovers: [String] = []
    do throws(SystemError) {
      let listed = system.scan(path) { name in
        if let place = PhotoName.place(name) {
          if place / 2 <= PhotoName.highestOfOthers { highest = max(highest, place / 2) }
        } else if name.first == UInt8(ascii: ".") {
          leftovers.append(String(decoding: name, as: UTF8.self))
        }
      }
      try system.check(listed, "readdir", path)
      for name in leftovers where PhotoName.isLeftover(name) {
        let removed = system.unlinkat(folders.album.number, name)
        let file = ("file", "\(path)/\(name)")
        if removed >= 0 {
          log.notice("removed what an interrupted commit left", [file])
        } else {
          // Hidden, and no photo: nobody is kept from theirs by it. A directory is not of our making.
          log.warning(
            "what looks like left by an interrupted commit stays",
            [file, ("reason", SystemError.reason(0 - removed))])
        }
      }
    } catch {
      throw LibraryError(error, at: path)
    }
    return highest
  }

  /// Tries again to remove what failed commits left.
  mutating func removeUnwanted() {
    guard !unwanted.isEmpty else { return }
    for name in unwanted {
      let result = system.unlinkat(folders.album.number, name)
      if result >= 0 || result == -Errno.noEntry { unwanted.remove(name) }
    }
    _ = system.retrying { $0.fsync(folders.album.number) }
  }
}
