import CLinux
import Glibc
import Platform

extension PictureRoot {
  /// The maximum number of directories that are searched in a root.
  static let directoryLimit = 1000

  /// The input and the results of a walk through a root.
  struct Walk {
    let index: Int
    let configuration: BrowserConfiguration
    let hidden: Set<String>
    let system: any SystemCalls
    /// The directories that were seen already, under this name or another.
    var seen: Set<[UInt]>
    /// The number of pictures that may still be listed.
    var room: Int
    var found: [FileName: PictureDirectory] = [:]
    let now: MonotonicTime
    /// The time in seconds since 1970, by the clock of the files' dates.
    let date = Int64(time(nil))

    init(
      index: Int, configuration: BrowserConfiguration, hidden: Set<String>,
      system: any SystemCalls, seen: Set<[UInt]>, room: Int
    ) {
      (self.index, self.configuration, self.hidden) = (index, configuration, hidden)
      (self.system, self.seen, self.room) = (system, seen, room)
      now = system.monotonicTime()
    }

    // Albums lie directly below the library's own root, and up to three levels deep in other roots.
    var depth: Int { index == 0 ? 1 : 3 }
  }

  /// Updates the index from the disk, skipping unchanged directories.
  mutating func read(_ walk: inout Walk) {
    do throws(SystemError) {
      let directory = try Descriptor(
        opening: path, flags: clinux_o_directory | clinux_o_path, system: walk.system)
      try visit("", "", directory, 0, &walk)
      problem = nil
      directories = walk.found
    } catch {
      problem = LibraryError(reading: error, at: path)
      directories = [:]
    }
  }

  private func visit(
    _ album: String, _ title: String, _ directory: borrowing Descriptor, _ depth: Int,
    _ walk: inout Walk
  ) throws(SystemError) {
    var status = stat()
    let path = album.isEmpty ? path : "\(path)/\(album)"
    try walk.system.check(walk.system.fstat(directory.number, &status), "fstat", path)
    let stamp = PictureDirectory.Stamp(status)
    guard walk.seen.insert([stamp.device, stamp.inode]).inserted else { return }
    let known = directories[FileName(album)]
    var found = known ?? PictureDirectory(album: album, title: title, stamp: stamp)
    let isNew = known == nil
    // Omitted pictures may have room now.
    let mayGrow = found.omitted > 0 && found.room < walk.room
    found.title = title
    if !found.watched.isEmpty { found.lookAgain(directory.number, walk) }
    if isNew || found.stamp != stamp || found.doubts > 0 || mayGrow || !found.changed.isEmpty {
      found.doubts = isNew || found.stamp != stamp ? 2 : max(0, found.doubts - 1)
      found.stamp = stamp
      found.holdsCopies = AlbumTitles.areCopies(in: directory.number, walk.system)
      let isAlbum =
        (walk.index > 0 || depth > 0)
        && [album, title].contains { walk.configuration.allows($0, ofRoot: walk.index) }
      try found.read(path, directory.number, takesPictures: isAlbum, walk)
    }
    found.shrink(to: walk.room)
    walk.room -= found.count
    walk.found[FileName(album)] = found
    guard depth < walk.depth else { return }
    for name in found.below where walk.found.count < PictureRoot.directoryLimit {
      // Links are not followed, because a stick must not show files from elsewhere.
      let flags = clinux_o_directory | clinux_o_path | clinux_o_nofollow
      let fd = walk.system.openat(directory.number, name, flags, 0)
      guard fd >= 0 else { continue }
      let child = Descriptor(owning: fd, system: walk.system)
      let inner = album.isEmpty ? name : "\(album)/\(name)"
      let known = AlbumTitles(areCopies: found.holdsCopies).title(name)
      let shown = title.isEmpty ? known : "\(title)/\(known)"
      do throws(SystemError) {
        try visit(inner, shown, child, depth + 1, &walk)
      } catch {
        // An album that cannot be read does not hide the others.
        Log("library").info("\(self.path)/\(inner) cannot be read: \(error.reason)")
      }
    }
  }
}

extension LibraryError {
  /// Describes a failed call on a directory that is only read, in the operator's words.
  init(reading cause: SystemError, at path: String) {
    let code = Code(errno: cause.errno)
    switch code {
    case .denied:
      self.init(
        code, "no permission to read \(path)",
        fix: "let the user who runs the station in (chmod, chown)", cause: cause)
    case .failing:
      self.init(
        code, "\(path) cannot be read: \(cause.reason)",
        fix: "check the disk and the kernel's log", cause: cause)
    default: self.init(cause, at: path)
    }
  }
}
