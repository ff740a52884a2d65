import CLinux
import Glibc
import Platform

/// Numbers that are given once, whatever happens to the files, the catalog, the clock or the power.
///
/// A file beside the album says up to which number the album may have used them. It is written
/// and synced before any of them is used, in blocks, and put right when the library is closed; a
/// crash leaves a gap of at most one block.
extension AlbumStore {
  private static let block = 100
  // Where the file is lost nobody knows which numbers deleted photos had: keep well away.
  private static let distance = 1000

  private var sequenceName: String { ".retake.\(configuration.album).sequence" }
  private var temporaryName: String { ".retake-sequence.part" }

  /// Finds out where to go on.
  ///
  /// `highest` is the highest number in the album.
  mutating func loadSequence(highest: Int) throws(LibraryError) {
    _ = system.unlinkat(folders.root.number, temporaryName)
    let place = "\(configuration.root)/\(sequenceName)"
    switch try readSequence() {
    case .number(let number):
      reserved = number
      if highest > number {
        log.notice("\(path) has a photo with a number that was not given here: IMG_\(highest)")
      }
    case .missing where highest == 0: reserved = 0
    case .missing, .broken:
      reserved = min(PhotoName.highest, (highest / 100 + 1) * 100 + AlbumStore.distance)
      log.warning(
        "\(place) is missing or damaged: numbers go on at \(reserved + 1), far above those in use")
    }
    next = max(reserved, highest) + 1
    reserved = next - 1
  }

  /// Makes sure that a number can be taken.
  mutating func reserveNumber() throws(LibraryError) {
    try checkOpen()
    guard next > reserved else { return }
    guard next <= PhotoName.highest else {
      throw LibraryError(
        .numbersUsedUp, "all numbers of \(path) are used; start a new album")
    }
    let upper = min(PhotoName.highest, next + AlbumStore.block - 1)
    try writeSequence(upper)
    reserved = upper
  }

  /// A number that was never given before.
  mutating func takeNumber() throws(LibraryError) -> Int {
    try reserveNumber()
    defer { next += 1 }
    return next
  }

  /// Gives back what was reserved and not used, and lets other stations have the library.
  mutating func close() {
    guard !isClosed else { return }
    isClosed = true
    if reserved >= next, (try? writeSequence(next - 1)) != nil { reserved = next - 1 }
    folders.unlock()
  }

  /// Throws once another station may have the library.
  func checkOpen() throws(LibraryError) {
    guard isClosed else { return }
    throw LibraryError(.gone, "the library \(configuration.root) was closed; open it again")
  }

  // MARK: - The file

  private enum Reading {
    case number(Int)
    case missing
    case broken
  }

  // "00000100 99999899\n": the number and what is missing from it to the highest one.
  private func readSequence() throws(LibraryError) -> Reading {
    var text = [UInt8](repeating: 0, count: 32)
    let count: Int
    do throws(SystemError) {
      let file = try OwnFile.open(
        sequenceName, in: folders.root.number, at: configuration.root, flags: O_RDONLY, system)
      count = text.withUnsafeMutableBytes { buffer in
        system.retrying { $0.read(file.number, buffer) }
      }
    } catch {
      switch error.errno {
      case Errno.noEntry: return .missing
      // Something else has the name: it is set aside when the next number is written down.
      case Errno.invalid: return .broken
      default: throw LibraryError(error, at: path)
      }
    }
    try check(count, "read", "../\(sequenceName)")
    guard count == 18, text[8] == 0x20, text[17] == 0x0A,
      let number = PhotoName.number(digits: text[0..<8]),
      let rest = PhotoName.number(digits: text[9..<17]), number + rest == PhotoName.highest
    else { return .broken }
    return .number(number)
  }

  private func writeSequence(_ number: Int) throws(LibraryError) {
    let root = folders.root.number
    let digits = PhotoName.digits(number)
    let text = Array("\(digits) \(PhotoName.digits(PhotoName.highest - number))\n".utf8)
    do throws(LibraryError) {
      let file = try own { () throws(SystemError) in
        try OwnFile.make(temporaryName, in: root, at: configuration.root, system)
      }
      try text.withBytes { (bytes) throws(LibraryError) in try writeAll(file.number, [bytes]) }
      try check(system.retrying { $0.fsync(file.number) }, "fsync", "../\(temporaryName)")
      try own { () throws(SystemError) in
        try OwnFile.replace(
          sequenceName, by: temporaryName, in: root, at: configuration.root, system)
      }
      try check(system.syncRenamed(file.number, in: root), "fsync", "../\(sequenceName)")
    } catch {
      _ = system.unlinkat(root, temporaryName)
      throw error
    }
  }
}

extension AlbumStore {
  // What concerns a file of the library's own, in the operator's words.
  private func own<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw LibraryError(error, at: path)
    }
  }
}

extension [UInt8] {
  /// `withUnsafeBytes`, which loses the type of the error.
  func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    let result = withUnsafeBytes { bytes in
      Result { () throws(LibraryError) -> Value in try body(bytes) }
    }
    return try result.get()
  }
}
