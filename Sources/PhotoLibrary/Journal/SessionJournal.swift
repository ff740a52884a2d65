import CLinux
import FoundationEssentials
import Glibc
import Platform

/// The account of all sessions: `.retake.journal` in the library, one JSON object a line.
///
/// Only appended to, one line in one write, and synced. A line that a power cut tore is no JSON
/// and is passed over; the next one begins on a line of its own.
struct SessionJournal: ~Copyable, @unchecked Sendable {
  private let file: Descriptor
  private let path: String
  private let encoder: JSONEncoder

  private init(file: consuming Descriptor, path: String) {
    self.file = file
    self.path = path
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// Where the journal of a library is.
  static func path(_ root: String) -> String { "\(root)/\(name)" }

  private static let name = ".retake.journal"

  /// Opens or makes it.
  static func open(
    root: String, _ system: any SystemCalls
  ) throws(LibraryError) -> SessionJournal {
    let path = path(root)
    do throws(SystemError) {
      let folder = try Descriptor(opening: root, flags: clinux_o_directory, system: system)
      let file = try OwnFile.open(
        name, in: folder.number, at: root, flags: O_RDWR | O_CREAT | O_APPEND, mode: 0o644, system)
      let journal = SessionJournal(file: file, path: path)
      try journal.endTornLine()
      // The name itself, in case it is new.
      try system.check(system.retrying { $0.fsync(folder.number) }, "fsync", root)
      return journal
    } catch {
      throw LibraryError(error, at: path)
    }
  }

  private func endTornLine() throws(SystemError) {
    var status = stat()
    try file.system.check(file.system.fstat(file.number, &status), "fstat", path)
    guard status.st_size > 0 else { return }
    var last: [UInt8] = [0]
    let count = last.withUnsafeMutableBytes {
      file.system.pread(file.number, $0, Int64(status.st_size) - 1)
    }
    if count != 1 || last[0] != 0x0A { try write([0x0A]) }
  }

  /// Adds a line and waits until the disk has it.
  func append(_ record: SessionRecord) throws(LibraryError) {
    guard let line = try? encoder.encode(record) else { return }
    do throws(SystemError) {
      try write(Array(line) + [0x0A])
      try file.system.check(file.system.retrying { $0.fdatasync(file.number) }, "fdatasync", path)
    } catch {
      // What is half there must not spoil the next line.
      try? endTornLine()
      throw LibraryError(error, at: path)
    }
  }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    let (number, system) = (file.number, file.system)
    var offset = 0
    while offset < bytes.count {
      let start = offset
      let count = bytes.withUnsafeBytes { all in
        system.retrying {
          $0.write(number, UnsafeRawBufferPointer(rebasing: all[start...]))
        }
      }
      guard try system.check(count, "write", path) > 0 else {
        throw SystemError(errno: Errno.io, call: "write", path: path)
      }
      offset += count
    }
  }

  // MARK: - Reading

  // Nil where there is none, or something else than a file.
  private static func openForReading(
    _ root: String, _ system: any SystemCalls
  ) throws(SystemError) -> Int32? {
    do throws(SystemError) {
      let folder = try Descriptor(
        opening: root, flags: clinux_o_directory | clinux_o_path, system: system)
      let file = try OwnFile.open(name, in: folder.number, at: root, flags: O_RDONLY, system)
      return try system.check(system.duplicate(file.number), "dup", path(root))
    } catch {
      guard [Errno.noEntry, Errno.invalid].contains(error.errno) else { throw error }
      return nil
    }
  }

  /// Passes every whole line on, oldest first, and returns how many others there are.
  ///
  /// Needs no open library. A library without a journal has none.
  static func read(
    root: String, _ system: any SystemCalls, _ body: (SessionRecord) -> Void
  ) throws(LibraryError) -> Int {
    let path = path(root)
    var torn = 0
    let decoder = JSONDecoder()
    var pending: [UInt8] = []
    func take(_ line: ArraySlice<UInt8>) {
      guard line.contains(where: { $0 > 0x20 }) else { return }
      guard let record = try? decoder.decode(SessionRecord.self, from: Data(line)) else {
        torn += 1
        return
      }
      body(record)
    }
    do throws(SystemError) {
      guard let fd = try openForReading(root, system) else { return 0 }
      // A number, not a `Descriptor`: Swift 6.0 dies on noncopyable variables that closures in
      // loops use.
      defer { _ = system.close(fd) }
      var block = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = block.withUnsafeMutableBytes { buffer in
          system.retrying { $0.read(fd, buffer) }
        }
        guard try system.check(count, "read", path) > 0 else { break }
        var rest = block[..<count]
        while let end = rest.firstIndex(of: 0x0A) {
          if pending.isEmpty {
            take(rest[..<end])
          } else {
            pending += rest[..<end]
            take(pending[...])
            pending = []
          }
          rest = rest[(end + 1)...]
        }
        // A line has a few hundred bytes; whatever has more is none.
        if pending.count < 1 << 16 { pending += rest }
      }
      take(pending[...])
      return torn
    } catch {
      throw LibraryError(error, at: path)
    }
  }
}
