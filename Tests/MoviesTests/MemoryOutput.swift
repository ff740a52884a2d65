import Platform
import Synchronization

@testable import Movies

/// A file in memory.
final class MemoryOutput: MovieOutput {
  private let content = Mutex<[UInt8]>([])
  /// More bytes than this do not fit.
  let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  var bytes: [UInt8] { content.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MovieError) {
    let fits = content.withLock { content in
      guard offset + bytes.count <= limit else {
        // As a disk does: what fits is there.
        Self.put(bytes.prefix(max(0, limit - offset)), at: offset, in: &content)
        return false
      }
      Self.put(bytes[...], at: offset, in: &content)
      return true
    }
    if !fits { throw MovieError(.full, "full") }
  }

  private static func put(
    _ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int, in content: inout [UInt8]
  ) {
    if content.count < offset + bytes.count {
      content += repeatElement(0, count: offset + bytes.count - content.count)
    }
    content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }

  func truncate(to count: Int) throws(MovieError) {
    content.withLock { if $0.count > count { $0.removeLast($0.count - count) } }
  }

  func hasRoom(for bytes: Int) -> Bool { true }
}

/// A box of a file, for tests: its type, where its body lies, and what is in it.
struct Box {
  var type: String
  var body: Range<Int>

  /// The boxes one after the other in a range; nil where they do not fill it.
  static func all(_ bytes: [UInt8], in range: Range<Int>? = nil) -> [Box]? {
    var boxes: [Box] = []
    var at = range?.lowerBound ?? 0
    let end = range?.upperBound ?? bytes.count
    while at < end {
      guard at + 8 <= end else { return nil }
      var size = number(bytes, at, 4)
      var head = 8
      if size == 1 {
        guard at + 16 <= end else { return nil }
        size = number(bytes, at + 8, 8)
        head = 16
      }
      guard size >= head, at + size <= end else { return nil }
      boxes.append(
        Box(
          type: String(decoding: bytes[at + 4..<at + 8], as: UTF8.self),
          body: at + head..<at + size))
      at += size
    }
    return boxes
  }

  /// The box at a path such as `moov/trak`.
  static func find(_ path: String, in bytes: [UInt8]) -> Box? {
    var range: Range<Int>?
    var found: Box?
    for type in path.split(separator: "/") {
      found = all(bytes, in: range)?.first { $0.type == type }
      guard let body = found?.body else { return nil }
      range = body
    }
    return found
  }

  static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
    bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The pictures of a finished file, read by its tables.
struct MoviePictures {
  var sizes: [Int] = []
  var durations: [Int] = []
  var pictures: [[UInt8]] = []

  init?(_ bytes: [UInt8]) {
    let path = "moov/trak/mdia/minf/stbl/"
    guard Box.all(bytes) != nil, let stsz = Box.find(path + "stsz", in: bytes),
      let stts = Box.find(path + "stts", in: bytes), let stsc = Box.find(path + "stsc", in: bytes),
      let stco = Box.find(path + "stco", in: bytes)
    else { return nil }
    func table(_ box: Box, _ start: Int, _ width: Int) -> [[Int]] {
      let count = Box.number(bytes, box.body.lowerBound + start - 4, 4)
      return (0..<count).map { row in
        (0..<width).map {
          Box.number(bytes, box.body.lowerBound + start + (row * width + $0) * 4, 4)
        }
      }
    }
    sizes = table(stsz, 12, 1).map { $0[0] }
    for row in table(stts, 8, 2) { durations += Array(repeating: row[1], count: row[0]) }
    let chunks = table(stco, 8, 1).map { $0[0] }
    let runs = table(stsc, 8, 3)
    var index = 0
    for (number, offset) in chunks.enumerated() {
      var place = offset
      guard let run = runs.last(where: { $0[0] <= number + 1 }) else { return nil }
      for _ in 0..<run[1] {
        guard index < sizes.count, place + sizes[index] <= bytes.count else { return nil }
        pictures.append(Array(bytes[place..<place + sizes[index]]))
        place += sizes[index]
        index += 1
      }
    }
    guard index == sizes.count, durations.count == sizes.count else { return nil }
  }
}
