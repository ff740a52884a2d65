import CLinux
import Glibc
import Platform

/// The state of an open library; the caller serializes all calls.
struct AlbumStore: ~Copyable, @unchecked Sendable {
  let configuration: LibraryConfiguration
  let system: any SystemCalls
  let log = Log("library")
  var folders: AlbumFolders
  /// The number of the next photo.
  var next = 1
  /// The highest number that the sequence file reserves; numbers up to it may be used.
  var reserved = 0
  /// The names of files whose commit failed and could not be undone.
  ///
  /// Such a file is never listed, and is removed as soon as the disk allows it.
  var unwanted: Set<String> = []
  private var prepared = 0
  /// The kind of the candidate in the current commit.
  var committing = PhotoKind.image
  /// Whether the library was closed; another station may have opened it since.
  var isClosed = false
  /// Whether the file system is known or assumed to have unnamed files (O_TMPFILE).
  var hasUnnamedFiles = true

  private init(
    _ configuration: LibraryConfiguration, _ system: any SystemCalls,
    _ folders: consuming AlbumFolders
  ) {
    self.configuration = configuration
    self.system = system
    self.folders = folders
  }

  /// Opens the directories, removes what a crash left, and determines the next number.
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

  /// Returns a system call's result, or throws its error in the operator's words.
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

  /// Writes a still to the disk as a file without a name.
  mutating func prepare(_ segments: [UnsafeRawBufferPointer]) throws(LibraryError) -> Candidate {
    let bytes = segments.reduce(0) { $0 + $1.count }
    precondition(bytes > 0, "a still without bytes")
    try refresh()
    removeUnwanted()
    // The number is reserved while the guest looks at the still, so that accepting costs one sync
    // only.
    try reserveNumber()
    prepared += 1
    let checksum = Checksum(of: segments)
    if let file = try openUnnamed() {
      try writeAll(file.number, segments)
      // No second try after a failure: the kernel reports a lost page only once.
      try check(system.retrying { $0.fdatasync(file.number) }, "fdatasync")
      return Candidate(id: prepared, bytes: bytes, checksum: checksum, content: .unnamed(file))
    }
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes)
    for segment in segments { copy.append(contentsOf: segment) }
    return Candidate(id: prepared, bytes: bytes, checksum: checksum, content: .memory(copy))
  }

  /// Opens a file without a name for a movie that grows.
  mutating func beginMovie() throws(LibraryError) -> Descriptor {
    try refresh()
    removeUnwanted()
    try reserveNumber()
    if let file = try openUnnamed() { return file }
    return try openNameless()
  }

  // Without unnamed files a still waits in memory, but a movie would take too much of it. The
  // movie's file has a name for a moment. After a crash in that moment, the next start removes the
  // file.
  private mutating func openNameless() throws(LibraryError) -> Descriptor {
    let name = ".retake-movie.part"
    let album = folders.album.number
    do throws(SystemError) {
      let file = try OwnFile.make(
        name, in: album, at: path, flags: O_RDWR | O_CREAT | O_EXCL | clinux_o_nofollow, system)
      // Some FUSE file systems keep the name of an open file.
      if system.unlinkat(album, name) < 0 { unwanted.insert(name) }
      return file
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  /// Syncs the movie's file, blocking until the disk has it.
  mutating func prepare(
    _ file: consuming Descriptor, bytes: Int
  ) throws(LibraryError) -> Candidate {
    try reserveNumber()
    prepared += 1
    // No second try after a failure: the kernel reports a lost page only once.
    try check(system.retrying { $0.fdatasync(file.number) }, "fdatasync")
    return Candidate(
      id: prepared, bytes: bytes, checksum: nil, content: .unnamed(file), kind: .movie)
  }

  // Returns nil where the file system has no unnamed files.
  private mutating func openUnnamed() throws(LibraryError) -> Descriptor? {
    guard hasUnnamedFiles else { return nil }
    // O_EXCL would forbid the link. The file is readable for the copy where links are not possible.
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

  /// Writes all bytes, repeating short writes.
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

  /// Opens the directories again if the path no longer leads to the open ones.
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
          .gone, "the disk of \(path) is no longer mounted",
          fix: "plug it in and mount it again")
      }
      log.warning("\(configuration.root) was removed or replaced while it was in use")
      folders = fresh
      // The new sequence file must hold the numbers that were already reserved.
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

  // Removes the temporary files that a crash left. Returns the highest number that counts. Foreign
  // files with a number in the last tenth do not count; the station goes on below them and passes
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
          // The file is hidden and is no photo, so leaving it hides no photo from a guest. A
          // directory was not made by the station.
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

  /// Tries again to remove the files that failed commits left.
  mutating func removeUnwanted() {
    guard !unwanted.isEmpty else { return }
    for name in unwanted {
      let result = system.unlinkat(folders.album.number, name)
      if result >= 0 || result == -Errno.noEntry { unwanted.remove(name) }
    }
    _ = system.retrying { $0.fsync(folders.album.number) }
  }
}
