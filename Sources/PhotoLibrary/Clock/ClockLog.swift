import CLinux
import Glibc
import Platform

/// The file `.retake.clock` of a library, with the highest number at each moment by all clocks.
///
/// One line follows each saved photo. The lines are beside the albums and not inside the pictures.
/// Therefore they hold for movies and edited pictures as well, need no feature of a file system,
/// and survive a rebuilt catalog and a copy of the whole library. The guests' files do not reveal
/// the booth's uptime either.
///
/// The line of a photo is not synced. A line that is lost in a power cut only makes its photo count
/// as taken when the next line was written. A line about a clock's step is synced, because
/// battery-backed clocks are trusted after it.
///
/// One thread at a time uses the log, under the library's lock.
struct ClockLog: Sendable {
  private static let name = ".retake.clock"
  // 1.5 times the size of the maximum number of lines.
  private static let mostBytes = 8 << 20

  private let root: String
  private let system: any SystemCalls
  private(set) var history = ClockHistory()
  // A disk that cannot be read now may be readable later, so no line is added to unknown ones.
  private var isClosed = false

  /// Reads the file of the library at `root`; one that cannot be read counts as missing.
  init(root: String, _ system: any SystemCalls) {
    self.root = root
    self.system = system
    var (history, damaged) = (ClockHistory(), 0)
    do throws(SystemError) {
      try LineFile.read(ClockLog.name, root: root, limit: ClockLog.mostBytes, system) { text in
        // At most as many lines as are kept: a longer file is not the station's.
        if history.lines.count > 2 * ClockHistory.mostLines {
          history = history.thinned() ?? history
        }
        if let line = ClockLine(text) {
          history.append(line)
        } else {
          damaged += 1
          history.addGap()
        }
      }
    } catch {
      damaged += 1
      let isNoFile = [Errno.invalid, Errno.loop, Errno.noSuchDevice].contains(error.errno)
      isClosed = !isNoFile
    }
    self.history = history
    guard damaged > 0 else { return }
    Log("library").warning(
      "\(root)/\(ClockLog.name) is damaged: photos whose dates it had are kept longer by keep-days",
      [("lines", "\(damaged)")])
  }

  /// Appends a line, for a photo with its album and number, and whether it was just saved.
  mutating func add(
    _ reading: ClockReading, number: Int = 0, album: String = "", isNew: Bool = false
  ) throws(LibraryError) {
    let line = ClockLine(
      index: history.nextIndex, reading: reading, number: number, album: album, isNew: isNew)
    history.append(line)
    if isClosed { return }
    if let shorter = history.thinned() {
      history = shorter
      return try replace()
    }
    // The file is opened for each line, because the directory may come and go and lines are rare.
    try LineFile.open(ClockLog.name, root: root, system).append(line.text, syncs: !isNew)
  }

  private func replace() throws(LibraryError) {
    do throws(SystemError) {
      let folder = try Descriptor(opening: root, flags: clinux_o_directory, system: system)
      var text: [UInt8] = []
      for line in history.lines { text += line.text + [0x0A] }
      try StateFile.replace(
        ClockLog.name, temporary: ".retake-clock.part", with: text, in: folder.number, at: root,
        system)
    } catch {
      throw LibraryError(error, at: "\(root)/\(ClockLog.name)")
    }
  }

  /// Returns whether a reading differs from the last line of this start of the machine.
  func isNews(_ reading: ClockReading) -> Bool {
    guard let last = history.lines.last?.reading, last.boot == reading.boot else { return true }
    return last.trust != reading.trust
      || abs(last.start - reading.start) > ClockHistory.smallStep
      // After a long time without a photo, a line tells the next start how long this one was.
      || reading.uptime - last.uptime > 6 * 3600
  }

  /// Returns the highest number that a line has for an album.
  func highest(of album: String) -> Int {
    history.lines.reduce(0) { $1.album.hasBytes(of: album) ? max($0, $1.number) : $0 }
  }
}
