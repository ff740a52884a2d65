import CLinux
import Glibc
import Platform

/// A file of the library's root to which lines are only appended.
///
/// A line that a power cut tore has no newline. Opening the file adds one, so that the next line is
/// a line of its own. Each reader checks its lines, because some may be torn.
struct LineFile: ~Copyable, @unchecked Sendable {
  private let file: Descriptor
  private let path: String

  private init(file: consuming Descriptor, path: String) {
    self.file = file
    self.path = path
  }

  /// Opens or creates the file `name` in the library at `root`.
  ///
  /// An object with that name that is no regular file is renamed first.
  static func open(
    _ name: String, root: String, _ system: any SystemCalls
  ) throws(LibraryError) -> LineFile {
    let path = "\(root)/\(name)"
    do throws(SystemError) {
      let folder = try Descriptor(opening: root, flags: clinux_o_directory, system: system)
      let file = try OwnFile.open(
        name, in: folder.number, at: root, flags: O_RDWR | O_CREAT | O_APPEND, mode: 0o644, system)
      let lines = LineFile(file: file, path: path)
      try lines.endTornLine()
      // Syncs the directory, because the name may be new.
      try system.check(system.retrying { $0.fsync(folder.number) }, "fsync", root)
      return lines
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  private func endTornLine() throws(SystemError) {
    guard let size = try StateFile.size(file.number, path, file.system), size > 0 else { return }
    var last: [UInt8] = [0]
    let count = last.withUnsafeMutableBytes {
      file.system.pread(file.number, $0, Int64(size) - 1)
    }
    if count != 1 || last[0] != 0x0A { try write([0x0A]) }
  }

  /// Appends a line, and blocks until the disk has it if `syncs` is true.
  func append(_ line: [UInt8], syncs: Bool = true) throws(LibraryError) {
    do throws(SystemError) {
      try write(line + [0x0A])
      guard syncs else { return }
      try file.system.check(file.system.retrying { $0.fdatasync(file.number) }, "fdatasync", path)
    } catch {
      // A half-written line must not merge with the next one.
      try? endTornLine()
      throw LibraryError(error, at: path)
    }
  }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    try file.system.writeAll(file.number, bytes, path)
  }

  // MARK: - Reading

  /// The length from which a line's rest may be cut off.
  static let longestLine = 1 << 16

  /// Calls `body` with every line, oldest first, without its newline; a missing file has no lines.
  ///
  /// Only the last `limit` bytes are read, so that the first line may be incomplete. A line longer
  /// than ``longestLine`` may be cut off.
  static func read(
    _ name: String, root: String, limit: Int, _ system: any SystemCalls,
    _ body: (ArraySlice<UInt8>) -> Void
  ) throws(SystemError) {
    let path = "\(root)/\(name)"
    let file: Descriptor
    do throws(SystemError) {
      let folder = try Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
      file = try OwnFile.open(name, in: folder.number, at: root, flags: O_RDONLY, system)
    } catch {
      if error.errno == Errno.noEntry { return }
      throw error
    }
    // A number, not a `Descriptor`: Swift 6.0 crashes on noncopyable variables that closures in
    // loops use.
    let fd = file.number
    defer { withExtendedLifetime(file) {} }
    let size = try StateFile.size(fd, path, system) ?? 0
    var offset = max(0, size - limit)
    let end = offset + limit
    var pending: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while offset < end {
      let place = Int64(offset)
      let count = block.withUnsafeMutableBytes { buffer in
        system.retrying { $0.pread(fd, buffer, place) }
      }
      guard try system.check(count, "read", path) > 0 else { break }
      offset += count
      var rest = block[..<count]
      while let end = rest.firstIndex(of: 0x0A) {
        if pending.isEmpty {
          body(rest[..<end])
        } else {
          pending += rest[..<end]
          body(pending[...])
          pending = []
        }
        rest = rest[(end + 1)...]
      }
      if pending.count < longestLine { pending += rest }
    }
    if !pending.isEmpty { body(pending[...]) }
  }
}
