import CLinux
import Glibc
import Platform

/// Numbers that are given once, whatever happens to the files, the catalog, the clock or the power.
///
/// A file beside the album holds the highest number that the album may have used. The store writes
/// and syncs it before it uses any of the numbers, in blocks of 100, and corrects it when the
/// library is closed. A crash leaves a gap of at most one block.
extension AlbumStore {
  private static let block = 100
  // Without the file, the numbers of deleted photos are unknown; so the numbers go on far above the
  // highest known one.
  private static let distance = 1000

  private var sequenceName: String { AlbumSequence.name(configuration.album) }
  private var temporaryName: String { ".retake-sequence.part" }

  /// Determines the next number from the sequence file.
  ///
  /// `highest` is the highest number among the album's files that counts.
  mutating func loadSequence(highest: Int) throws(LibraryError) {
    _ = system.unlinkat(folders.root.number, temporaryName)
    let place = "\(configuration.root)/\(sequenceName)"
    let reading: AlbumSequence
    do throws(SystemError) {
      reading = try AlbumSequence.read(configuration.album, in: folders.root.number, system)
    } catch {
      throw LibraryError(error, at: path)
    }
    switch reading {
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

  /// Reserves a block of numbers if none is left; it then blocks on the disk.
  mutating func reserveNumber() throws(LibraryError) {
    try checkOpen()
    guard next > reserved else { return }
    guard next <= PhotoName.highest else {
      throw LibraryError(
        .numbersUsedUp, "all numbers of \(path) are used",
        fix: "start a new album")
    }
    let upper = min(PhotoName.highest, next + AlbumStore.block - 1)
    try writeSequence(upper)
    reserved = upper
  }

  /// Returns a number that was never given before.
  mutating func takeNumber() throws(LibraryError) -> Int {
    try reserveNumber()
    defer { next += 1 }
    return next
  }

  /// Records the last used number in the sequence file, and releases the lock for other stations.
  mutating func close() {
    guard !isClosed else { return }
    isClosed = true
    if reserved >= next, (try? writeSequence(next - 1)) != nil { reserved = next - 1 }
    folders.unlock()
  }

  /// Throws `gone` after the library was closed, since another station may have it then.
  func checkOpen() throws(LibraryError) {
    guard isClosed else { return }
    throw LibraryError(
      .gone, "the library \(configuration.root) was closed",
      fix: "open it again")
  }

  private func writeSequence(_ number: Int) throws(LibraryError) {
    let digits = PhotoName.digits(number)
    let text = Array("\(digits) \(PhotoName.digits(PhotoName.highest - number))\n".utf8)
    do throws(SystemError) {
      try StateFile.replace(
        sequenceName, temporary: temporaryName, with: text, in: folders.root.number,
        at: configuration.root, system)
    } catch {
      throw LibraryError(error, at: path)
    }
  }
}

/// The content of the file beside an album: the highest number that was ever reserved for a photo.
enum AlbumSequence: Sendable, Hashable {
  case number(Int)
  case missing
  case broken

  /// Returns the file's name.
  static func name(_ album: String) -> String { ".retake.\(album).sequence" }

  /// Reads a line like `00000100 99999899\n`: the number, and its difference from the highest one.
  static func read(
    _ album: String, in root: Int32, _ system: any SystemCalls
  ) throws(SystemError) -> AlbumSequence {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try StateFile.read(name(album), in: root, limit: 32, system)
    } catch {
      if error.errno == Errno.noEntry { return .missing }
      throw error
    }
    guard let text = bytes, text.count == 18, text[8] == 0x20, text[17] == 0x0A,
      let number = PhotoName.number(digits: text[0..<8]),
      let rest = PhotoName.number(digits: text[9..<17]), number + rest == PhotoName.highest
    else { return .broken }
    return .number(number)
  }
}

extension [UInt8] {
  /// Calls `withUnsafeBytes` and keeps the type of the error.
  func withBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    let result = withUnsafeBytes { bytes in
      Result { () throws(LibraryError) -> Value in try body(bytes) }
    }
    return try result.get()
  }
}
