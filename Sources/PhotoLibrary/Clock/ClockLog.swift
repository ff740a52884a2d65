import CLinux
import Glibc
import Platform

/// The file `.retake.clock` of a library: which number was the highest when, by all clocks.
///
/// One line follows each saved photo. The lines are beside the albums and not inside the pictures:
/// so they hold for movies and edited pictures as well, need nothing of a file system, survive a
/// catalog that is made anew and a copy of the whole library, and no guest takes the booth's uptime
/// home. The line of a photo is not waited for. One that the power took costs nothing but time: its
/// photo counts as taken when the next line was written. A line that tells of a clock's step is
/// synced, since battery-backed clocks are believed for what comes behind it.
///
/// One thread at a time uses it, under the library's lock.
struct ClockLog: Sendable {
  private static let name = ".retake.clock"
  // Half again of what the most lines take.
  private static let mostBytes = 8 << 20

  private let root: String
  private let system: any SystemCalls
  private(set) var history = ClockHistory()
  // A disk that cannot be read now may be read later: nothing is added to lines that are not known.
  private var isClosed = false

  /// Reads the file of the library at `root`; one that cannot be read is as good as none.
  init(root: String, _ system: any SystemCalls) {
    self.root = root
    self.system = system
    var (history, damaged) = (ClockHistory(), 0)
    do throws(SystemError) {
      try LineFile.read(ClockLog.name, root: root, limit: ClockLog.mostBytes, system) { text in
        // At most as many as are kept: a longer file is not the station's.
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

  /// Adds a line; for a photo with its album and number, and whether it was just saved.
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
    // Opened for each line: the directory may come and go, and lines are rare.
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

  /// Whether the last line of this start of the machine says something else of its clock.
  func isNews(_ reading: ClockReading) -> Bool {
    guard let last = history.lines.last?.reading, last.boot == reading.boot else { return true }
    return last.trust != reading.trust
      || abs(last.start - reading.start) > ClockHistory.smallStep
      // A long time without a photo: the next start learns how long this one was.
      || reading.uptime - last.uptime > 6 * 3600
  }

  /// The highest number that a line has for an album.
  func highest(of album: String) -> Int {
    history.lines.reduce(0) { $1.album.hasBytes(of: album) ? max($0, $1.number) : $0 }
  }
}
