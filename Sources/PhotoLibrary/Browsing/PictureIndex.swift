import CLinux
import Glibc
import Platform

/// The pictures of one directory, as far as they were read.
struct PictureDirectory: Sendable {
  /// One picture: small, since there may be 100,000 of them.
  struct Entry: Sendable {
    /// Where its name stands among those that the library gives; 0 for what came from elsewhere.
    var place: UInt32
    /// Empty for a numbered one.
    var name: String
    var modified: Int64
    var time: Int64
    var bytes: Int

    var kind: PhotoKind {
      place > 0 ? (place % 2 == 0 ? .image : .movie) : PhotoName.kind(name)
    }

    var fileName: String { place > 0 ? PhotoName.name(place: Int(place)) : name }
  }

  /// By which a directory that did not change is known.
  struct Stamp: Sendable, Hashable {
    var device: UInt
    var inode: UInt
    var seconds: Int
    var nanoseconds: Int

    init(_ status: stat) {
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  var album: String
  var stamp: Stamp
  /// How often it is to be read again although it seems unchanged: dates are coarse.
  var doubts = 2
  /// Directories below it, by name.
  var below: [String] = []
  /// Pictures that are there and not listed, for want of room.
  var omitted = 0
  /// How many pictures there was room for when it was read.
  var room = 0
  /// Newest first; own photos and those from elsewhere are in order each.
  var numbered: [Entry] = []
  var foreign: [Entry] = []

  var count: Int { numbered.count + foreign.count }

  func count(of kinds: Set<PhotoKind>) -> Int {
    guard kinds.count < PhotoKind.allCases.count else { return count }
    return [numbered, foreign].reduce(0) { sum, entries in
      entries.reduce(sum) { $0 + (kinds.contains($1.kind) ? 1 : 0) }
    }
  }

  /// The entry of that name.
  func entry(_ name: String) -> Entry? {
    guard let place = PhotoName.place(name), place > 1 else {
      return foreign.first { $0.name == name }
    }
    // They run downwards.
    var (low, high) = (0, numbered.count)
    while low < high {
      let middle = (low + high) / 2
      if numbered[middle].place > UInt32(place) { low = middle + 1 } else { high = middle }
    }
    return low < numbered.count && numbered[low].place == UInt32(place) ? numbered[low] : nil
  }
}

extension PictureDirectory {
  /// Reads the names in the directory; only files that are new are looked at.
  mutating func read(
    _ path: String, _ directory: Int32, hidden: Set<String>, takesPictures: Bool, room: Int,
    _ system: any SystemCalls
  ) throws(SystemError) {
    var seen = 0
    self.room = room
    var places: [UInt32] = []
    var names: [String] = []
    var others: [String] = []
    let result = system.scan(path) { bytes in
      if let place = PhotoName.place(bytes), place > 1 {
        guard takesPictures else { return }
        seen += 1
        places.append(UInt32(place))
        // The newest stay; sorting is rare, since half of them go.
        if places.count >= 2 * max(room, 1000) { PictureDirectory.keepNewest(room, &places) }
        return
      }
      let name = String(decoding: bytes, as: UTF8.self)
      if PhotoName.isPicture(name) || PhotoName.isMovie(name) {
        guard takesPictures else { return }
        seen += 1
        if names.count < room { names.append(name) }
      } else if LibraryConfiguration.isAlbumName(name), others.count < 2000 {
        others.append(name)
      }
    }
    try system.check(result, "readdir", path)
    below = others.sorted()
    guard takesPictures else { return }
    PictureDirectory.keepNewest(room, &places)
    names.removeLast(max(0, names.count - (room - places.count)))
    omitted = seen - places.count - names.count
    take(places, directory, hidden, system)
    take(Set(names), directory, hidden, system)
  }

  /// Sorts them upwards and leaves the last ones.
  private static func keepNewest(_ count: Int, _ places: inout [UInt32]) {
    places.sort()
    places.removeFirst(max(0, places.count - max(0, count)))
  }

  /// Leaves out what there is no room for: others' pictures first, then the oldest photos.
  mutating func shrink(to room: Int) {
    let room = max(0, room)
    let before = count
    foreign.removeLast(min(foreign.count, max(0, count - room)))
    numbered.removeLast(max(0, numbered.count - room))
    omitted += before - count
  }

  private mutating func take(
    _ places: [UInt32], _ directory: Int32, _ hidden: Set<String>, _ system: any SystemCalls
  ) {
    // What was known runs downwards, what is there upwards.
    var known = numbered.count - 1
    var entries: [Entry] = []
    entries.reserveCapacity(places.count)
    var latest = Int64.min
    for place in places {
      while known >= 0, numbered[known].place < place { known -= 1 }
      var entry: Entry?
      if known >= 0, numbered[known].place == place {
        entry = numbered[known]
      } else {
        entry = PictureDirectory.look(PhotoName.name(place: Int(place)), directory, system)
        entry?.place = place
        entry?.name = ""
      }
      guard var entry, hidden.isEmpty || !hidden.contains(entry.fileName) else { continue }
      latest = max(latest, entry.modified)
      entry.time = latest
      entries.append(entry)
    }
    numbered = entries.reversed()
  }

  private mutating func take(
    _ names: Set<String>, _ directory: Int32, _ hidden: Set<String>, _ system: any SystemCalls
  ) {
    foreign.removeAll { !names.contains($0.name) }
    let known = Set(foreign.map(\.name))
    guard known.count < names.count else { return }
    for name in names where !known.contains(name) && !hidden.contains(name) {
      if let entry = PictureDirectory.look(name, directory, system) { foreign.append(entry) }
    }
    foreign.sort { ($1.time, $0.name) < ($0.time, $1.name) }
  }

  // Nil for what is no regular file, is empty, or went away meanwhile.
  private static func look(
    _ name: String, _ directory: Int32, _ system: any SystemCalls
  ) -> Entry? {
    let fd = system.openat(directory, name, clinux_o_path | clinux_o_nofollow, 0)
    guard fd >= 0 else { return nil }
    defer { _ = system.close(fd) }
    var status = stat()
    guard system.fstat(fd, &status) >= 0, status.st_mode & 0o170000 == 0o100000,
      status.st_size > 0
    else { return nil }
    let time = Int64(status.st_mtim.tv_sec)
    return Entry(
      place: 0, name: name, modified: time, time: time, bytes: Int(status.st_size))
  }
}

/// The directories of one root.
struct PictureRoot: Sendable {
  var path: String
  /// Why it cannot be read; nil: it can.
  var problem: LibraryError?
  /// By album, a path below the root.
  var directories: [String: PictureDirectory] = [:]
}
