import CLinux
import Glibc
import Platform

/// The pictures of one directory, as far as they were read.
struct PictureDirectory: Sendable {
  /// One picture: small, since there may be 100,000 of them.
  struct Entry: Sendable {
    /// Where its name stands among those that the library gives; 0 for what came from elsewhere.
    var place: UInt32
    /// Of the second in which it was changed.
    var nanoseconds: UInt32 = 0
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
  /// What people call it: the album's own name where copies have another one.
  var title: String
  /// Whether the directories below it have the names that copies get.
  var holdsCopies = false
  var stamp: Stamp
  /// How often it is to be read again although it seems unchanged: dates are coarse.
  var doubts = 2
  /// Files that were changed a short while ago, by name: they may be copied just now.
  var watched: [FileName: WatchedFile] = [:]
  /// Names of files that are to be looked at as if they were new.
  var changed: Set<FileName> = []
  /// What is there and cannot be shown.
  var unshown: [PhotoKind: UnshownFiles] = [:]
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
      return foreign.first { $0.name.hasBytes(of: name) }
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
  /// Reads the names in the directory; only files that are new, or have changed, are looked at.
  mutating func read(
    _ path: String, _ directory: Int32, takesPictures: Bool, _ walk: PictureRoot.Walk
  ) throws(SystemError) {
    var seen = 0
    let room = walk.room
    self.room = room
    var places: [UInt32] = []
    var names: [String] = []
    var others: [String] = []
    var unshown: [PhotoKind: UnshownFiles] = [:]
    let isOwn = walk.index == 0
    let result = walk.system.scan(path) { bytes in
      if let place = PhotoName.place(bytes), place > 1 {
        guard takesPictures else { return }
        seen += 1
        places.append(UInt32(place))
        // The newest stay; sorting is rare, since half of them go.
        if places.count >= 2 * max(room, 1000) { PictureDirectory.keepNewest(room, &places) }
        return
      }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        PictureDirectory.count(unreadable: bytes, &unshown)
        return
      }
      if PhotoName.isShownPicture(name) || PhotoName.isMovie(name) {
        guard takesPictures else { return }
        seen += 1
        if names.count < room { names.append(name) }
      } else if let format = UnshownFiles.format(name) {
        unshown[format.kind, default: UnshownFiles()].add(format.name)
      } else if PictureAddress.isFolder(name, isOwn: isOwn), !Housekeeping.keeps(name),
        others.count < 2000
      {
        others.append(name)
      }
    }
    try walk.system.check(result, "readdir", path)
    below = others.map(FileName.init).sorted().map(\.text)
    guard takesPictures else { return }
    self.unshown = unshown
    PictureDirectory.keepNewest(room, &places)
    names.removeLast(max(0, names.count - (room - places.count)))
    omitted = seen - places.count - names.count
    let all = Set(names.map(FileName.init))
    let gone = watched.keys.filter { name in
      !all.contains(name)
        && PhotoName.place(name.text).map { !places.contains(UInt32($0)) } ?? true
    }
    for name in gone { watched[name] = nil }
    take(places, directory, walk)
    take(all, directory, walk)
    changed = []
  }

  private static func count(
    unreadable bytes: UnsafeBufferPointer<UInt8>, _ unshown: inout [PhotoKind: UnshownFiles]
  ) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.hasPrefix(".") else { return }
    let isMedium = PhotoName.isShownPicture(text) || PhotoName.isMovie(text)
    let format = UnshownFiles.format(text)
    // One without a suffix may be a directory full of pictures.
    guard isMedium || format != nil || !text.contains(".") else { return }
    unshown[format?.kind ?? PhotoName.kind(text), default: UnshownFiles()]
      .add(UnshownFiles.unreadableName)
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
    _ places: [UInt32], _ directory: Int32, _ walk: PictureRoot.Walk
  ) {
    // What was known runs downwards, what is there upwards.
    var known = numbered.count - 1
    var entries: [Entry] = []
    entries.reserveCapacity(places.count)
    var latest = Int64.min
    for place in places {
      while known >= 0, numbered[known].place < place { known -= 1 }
      var entry: Entry?
      let isKnown = known >= 0 && numbered[known].place == place
      if isKnown,
        changed.isEmpty || !changed.contains(FileName(numbered[known].fileName))
      {
        entry = numbered[known]
      } else {
        entry = admit(PhotoName.name(place: Int(place)), directory, walk)
        entry?.place = place
        entry?.name = ""
      }
      guard var entry, walk.hidden.isEmpty || !walk.hidden.contains(entry.fileName) else {
        continue
      }
      latest = max(latest, entry.modified)
      entry.time = latest
      entries.append(entry)
    }
    numbered = entries.reversed()
  }

  private mutating func take(
    _ names: Set<FileName>, _ directory: Int32, _ walk: PictureRoot.Walk
  ) {
    foreign.removeAll {
      let name = FileName($0.name)
      return !names.contains(name) || changed.contains(name)
    }
    let known = Set(foreign.map { FileName($0.name) })
    guard known.count < names.count else { return }
    for name in names where !known.contains(name) && !walk.hidden.contains(name.text) {
      if let entry = admit(name.text, directory, walk) { foreign.append(entry) }
    }
    foreign.sort { ($1.time, FileName($0.name)) < ($0.time, FileName($1.name)) }
  }

  /// Looks at a file; nil for what is no regular file, is empty, went away meanwhile, or grows.
  private mutating func admit(
    _ name: String, _ directory: Int32, _ walk: PictureRoot.Walk
  ) -> Entry? {
    let key = FileName(name)
    guard let state = WatchedFile.State.look(name, directory, walk.system) else {
      watched[key] = nil
      return nil
    }
    let entry = Entry(
      place: 0, nanoseconds: UInt32(truncatingIfNeeded: state.nanoseconds), name: name,
      modified: state.seconds, time: state.seconds, bytes: state.bytes)
    // The library's own photos get their names when they are whole.
    if walk.index == 0, PhotoName.place(name) != nil { return state.bytes > 0 ? entry : nil }
    let isFresh = state.bytes == 0 || WatchedFile.isFresh(state.seconds, at: walk.date)
    guard isFresh, watched[key] != nil || watched.count < WatchedFile.limit else {
      watched[key] = nil
      return state.bytes > 0 ? entry : nil
    }
    let known = watched[key].flatMap { $0.state == state ? $0 : nil }
    var file = known ?? WatchedFile(state: state, since: walk.now, next: walk.now + .seconds(1))
    let isWhole = state.bytes > 0 && WatchedFile.isWhole(name, directory, walk.system)
    file.isOffered = isWhole || (state.bytes > 0 && file.isStill(at: walk.now))
    watched[key] = file
    return file.isOffered ? entry : nil
  }

  /// Looks at the files again that may be copied just now, and notes which have changed.
  mutating func lookAgain(_ directory: Int32, _ walk: PictureRoot.Walk) {
    for (name, file) in watched where file.next <= walk.now {
      let state = WatchedFile.State.look(name.text, directory, walk.system)
      let isReady = !file.isOffered && file.state.bytes > 0 && file.isStill(at: walk.now)
      if state != file.state || isReady {
        changed.insert(name)
      } else if file.isSettled(at: walk.now) {
        watched[name] = nil
      } else {
        watched[name]?.wait(from: walk.now)
      }
    }
  }
}

/// The directories of one root.
struct PictureRoot: Sendable {
  var path: String
  /// Why it cannot be read; nil: it can.
  var problem: LibraryError?
  /// By album, a path below the root.
  var directories: [FileName: PictureDirectory] = [:]
}
