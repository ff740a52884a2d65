import CLinux
import Glibc
import Platform
import StationTestSupport

/// A model of the bytes and names that are durable on a disk, which can omit any single sync.
///
/// The model is stricter than any file system. Bytes are durable once their file was synced after
/// the last write, and a name once its directory was synced after the name was made. A power cut
/// may destroy everything else. As on FAT, a renamed file has no bytes until it is synced once
/// more.
final class SyncModel: ForwardingSystemCalls, @unchecked Sendable {
  /// Files with bytes that are not synced.
  private var dirtyBytes: Set<UInt> = []
  /// The names that files were made with.
  private var made: [UInt: String] = [:]
  /// Names that are not synced, by their directory.
  private var dirtyNames: [UInt: Set<String>] = [:]
  /// The names of files that were renamed and not synced since.
  private var emptied: [UInt: String] = [:]
  /// Names that were given to bytes that were not synced.
  private(set) var namedTooEarly: [String] = []
  /// The files that were not durable when a photo got its name.
  private(set) var promisedTooEarly: [String] = []
  private var losses: [String] = []
  private var isOver = false
  /// How many syncs were asked for.
  private(set) var syncs = 0
  /// The number of the sync that does nothing, from 1.
  var leftOut = 0
  /// The system calls that the file system lacks, with their errors.
  var missing: [String: Int32] = [:]

  /// The names that a power cut would destroy now, except temporary files and the lock.
  var unsafeNames: [String] {
    let unwritten = dirtyBytes.compactMap { made[$0] }
    return Set(dirtyNames.values.flatMap { $0 } + emptied.values + unwritten)
      .filter { !$0.hasSuffix(".part") && $0 != ".retake.lock" }.sorted()
  }

  /// Counts syncs from now on.
  func begin() { syncs = 0 }

  /// Records what a power cut would destroy at a moment at which everything must be durable.
  func judge() { losses += unsafeNames }

  /// Ends the recording, because later calls belong to no promise.
  func end() {
    judge()
    isOver = true
  }

  /// Returns everything that a power cut could destroy now or could have destroyed at a recorded
  /// moment.
  var allLosses: [String] { losses + namedTooEarly + promisedTooEarly }

  private func inode(_ fd: Int32) -> UInt {
    var status = stat()
    return fstat(fd, &status) >= 0 ? UInt(status.st_ino) : 0
  }

  private func noteName(_ directory: Int32, _ name: String) {
    guard !isOver else { return }
    // A number is promised before a photo has it.
    if name.hasPrefix("IMG_") {
      promisedTooEarly += unsafeNames.filter { $0.hasSuffix(".sequence") }
    }
    dirtyNames[inode(directory), default: []].insert(name)
  }

  private func sync(_ fd: Int32) -> Int32 {
    if !isOver { syncs += 1 }
    if syncs == leftOut, !isOver { return 0 }
    dirtyBytes.remove(inode(fd))
    dirtyNames[inode(fd)] = nil
    emptied[inode(fd)] = nil
    return base.fsync(fd)
  }

  // Unnamed files have names here, so that a link takes over the state of their bytes.
  private func noteBytes(of fd: Int32, as name: String) {
    if !isOver, dirtyBytes.contains(inode(fd)) { namedTooEarly.append(name) }
  }

  private func noteRenamed(_ directory: Int32, _ from: String, _ to: String) {
    let fd = base.openat(directory, to, clinux_o_path, 0)
    guard fd >= 0 else { return }
    noteBytes(of: fd, as: to)
    if !isOver { emptied[inode(fd)] = to }
    _ = base.close(fd)
    dirtyNames[inode(directory)]?.remove(from)
  }

  override func fsync(_ fd: Int32) -> Int32 { sync(fd) }
  override func fdatasync(_ fd: Int32) -> Int32 { sync(fd) }
  override func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32
  {
    let isUnnamed = flags & clinux_o_tmpfile == clinux_o_tmpfile
    if isUnnamed, let error = missing["unnamed"] { return 0 - error }
    let fd = base.openat(directory, path, flags, mode)
    if fd >= 0, flags & O_CREAT != 0 {
      noteName(directory, path)
      // A library writes into some of them without this seam.
      dirtyBytes.insert(inode(fd))
    }
    return fd
  }
  override func openBeneath(
    _ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    let fd = base.openBeneath(directory, path, flags, mode)
    if fd >= 0, flags & O_CREAT != 0 {
      noteName(directory, path)
      made[inode(fd)] = path
      dirtyBytes.insert(inode(fd))
    }
    return fd
  }
  override func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    dirtyBytes.insert(inode(fd))
    return base.write(fd, buffer)
  }
  override func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int {
    dirtyBytes.insert(inode(fd))
    return base.writev(fd, vectors)
  }
  override func pwrite(_ fd: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
    dirtyBytes.insert(inode(fd))
    return base.pwrite(fd, buffer, offset)
  }
  override func truncate(_ fd: Int32, _ length: Int64) -> Int32 {
    dirtyBytes.insert(inode(fd))
    return base.truncate(fd, length)
  }
  override func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 {
    if let error = missing["link"] { return 0 - error }
    noteBytes(of: fd, as: name)
    let result = base.linkUnnamed(fd, directory, name)
    if result >= 0 { noteName(directory, name) }
    // On a disk without unnamed files, a second name may be lost or empty like a new name on FAT.
    if result >= 0, !isOver, missing["unnamed"] != nil { emptied[inode(fd)] = name }
    return result
  }
  override func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    if let error = missing["renameNew"] { return 0 - error }
    let result = base.renameNew(directory, from, to)
    if result >= 0 {
      noteRenamed(directory, from, to)
      noteName(directory, to)
    }
    return result
  }
  override func rename(_ directory: Int32, _ from: String, _ to: String) -> Int32 {
    let result = base.rename(directory, from, to)
    if result >= 0 {
      noteRenamed(directory, from, to)
      noteName(directory, to)
    }
    return result
  }
  override func unlinkat(_ directory: Int32, _ name: String) -> Int32 {
    let result = base.unlinkat(directory, name)
    // Until the directory is synced it may come back.
    if result >= 0, !name.hasSuffix(".part") { noteName(directory, name) }
    return result
  }
  override func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 {
    let result = base.mkdirat(directory, name, mode)
    if result >= 0 { noteName(directory, name) }
    return result
  }
}
