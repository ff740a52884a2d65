import CLinux
import Glibc
import Platform

/// The pictures of one directory, as far as they were read.
struct PictureDirectory: Sendable {
  /// The index entry of one picture, which is small because there may be 100,000 of them.
  struct Entry: Sendable {
    /// The rank of a name that the library gives; 0 for files from elsewhere.
    var place: UInt32
    /// The fraction of the second of the last change.
    var nanoseconds: UInt32 = 0
    /// The file's name; empty for a numbered file.
    var name: String
    var modified: Int64
    var time: Int64
    var bytes: Int

    var kind: PhotoKind {
      place > 0 ? (place % 2 == 0 ? .image : .movie) : PhotoName.kind(name)
    }

    var fileName: String { place > 0 ? PhotoName.name(place: Int(place)) : name }
  }

  /// The identity and date of a directory, which show whether it changed.
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
  /// The name for people: the album's own name where a copy has an escaped one.
  var title: String
  /// Whether the directories below it have the escaped names of copies.
  var holdsCopies = false
  var stamp: Stamp
  /// The number of further readings although the stamp is unchanged, because dates are coarse.
  var doubts = 2
  /// Files that were changed a short while ago and may still be being copied, by name.
  var watched: [FileName: WatchedFile] = [:]
  /// The names of files to be read again as if they were new.
  var changed: Set<FileName> = []
  /// The files that cannot be shown.
  var unshown: [PhotoKind: UnshownFiles] = [:]
  /// The directories below it, by name.
  var below: [String] = []
  /// The number of pictures that are not listed for want of room.
  var omitted = 0
  /// The number of pictures that there was room for at the last reading.
  var room = 0
  /// The library's own photos and foreign files, each newest first.
  var numbered: [Entry] = []
  var foreign: [Entry] = []

  var count: Int { numbered.count + foreign.count }

  func count(of kinds: Set<PhotoKind>) -> Int {
    guard kinds.count < PhotoKind.allCases.count else { return count }
    return [numbered, foreign].reduce(0) { sum, entries in
      entries.reduce(sum) { $0 + (kinds.contains($1.kind) ? 1 : 0) }
    }
  }

  /// Returns the entry of that name.
  func entry(_ name: String) -> Entry? {
    guard let place = PhotoName.place(name), place > 1 else {
      return foreign.first { $0.name.hasBytes(of: name) }
    }
    // The ranks of the numbered entries fall.
    var (low, high) = (0, numbered.count)
    while low < high {
      let middle = (low + high) / 2
      if numbered[middle].place > UInt32(place) { low = middle + 1 } else { high = middle }
    }
    return low < numbered.count && numbered[low].place == UInt32(place) ? numbered[low] : nil
  }
}

extension PictureDirectory {
  /// Reads the names in the directory, and looks at the new and the changed files only.
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
        // The newest ranks are kept. Sorting is rare, because half of the ranks are dropped each
        // time.
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
    // A name without a suffix may be that of a directory full of pictures.
    guard isMedium || format != nil || !text.contains(".") else { return }
    unshown[format?.kind ?? PhotoName.kind(text), default: UnshownFiles()]
      .add(UnshownFiles.unreadableName)
  }

  /// Sorts the ranks upwards and keeps the last `count` of them.
  private static func keepNewest(_ count: Int, _ places: inout [UInt32]) {
    places.sort()
    places.removeFirst(max(0, places.count - max(0, count)))
  }

  /// Drops the entries that there is no room for: foreign pictures first, then the oldest photos.
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
    // The ranks of the known entries fall, those of the files rise.
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

  /// Reads a file's size and date.
  ///
  /// Returns nil for an object that is no regular file, is empty, disappeared meanwhile, or still
  /// grows.
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
    // The library's own photos are complete when they get their names.
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

  /// Looks again at the files that may still be being copied, and records the changed ones.
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
  /// The reason why the root cannot be read; nil if it can.
  var problem: LibraryError?
  /// The directories by album, a path below the root.
  var directories: [FileName: PictureDirectory] = [:]
}
