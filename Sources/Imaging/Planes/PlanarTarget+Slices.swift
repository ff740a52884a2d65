import CTurboJPEG
import Glibc
import Media
import Platform

extension PlanarTarget {
  /// Encodes the planes in slices, each on its own thread, and joins them with restart markers.
  ///
  /// The pixels are the same as those of a picture that is encoded as a whole. Blocks depend on
  /// other rows of units only by the DC values, which a restart resets. Small pictures, and those
  /// whose slices would be too large for a restart interval, are encoded as a whole. The call
  /// blocks until all slices are done. Source: ITU-T T.81, B.2.4.4 and E.1.4.
  func encode(quality: Int, slices: Int) throws(StillError) -> CodecBuffer {
    guard let plan = SlicePlan(size, unit: unit, slices: slices) else {
      return try encode(quality: quality)
    }
    let parts = plan.rows.map { Slice(self, $0, quality: quality) }
    // This thread encodes the first slice, and any slice for which no thread could be started.
    let threads = parts.dropFirst().map { part in try? Thread("still-slice") { part.encode() } }
    parts[0].encode()
    for (part, thread) in zip(parts.dropFirst(), threads) {
      if let thread { thread.join() } else { part.encode() }
    }
    for part in parts { if let error = part.error { throw error } }
    guard let joined = Slice.join(parts, restartInterval: plan.interval, height: size.height) else {
      return try encode(quality: quality)
    }
    return joined
  }
}

/// The division of a picture's rows into slices.
struct SlicePlan {
  /// The minimum number of pixels of a slice.
  static let fewestPixels = 1 << 18
  /// The luma rows of each slice; all slices but the last have whole rows of units.
  let rows: [Range<Int>]
  /// The number of coded units of each slice; the last slice may have fewer.
  let interval: Int

  /// Creates the plan, or returns nil if the picture is to be encoded as a whole.
  init?(_ size: PixelSize, unit: PixelSize, slices: Int) {
    guard slices > 1, size.width * size.height / slices >= Self.fewestPixels else { return nil }
    let (across, down) = (8 * unit.width, 8 * unit.height)
    let unitRows = (size.height + down - 1) / down
    let rowsEach = (unitRows + slices - 1) / slices
    interval = rowsEach * ((size.width + across - 1) / across)
    guard rowsEach < unitRows, interval <= Int(UInt16.max) else { return nil }
    rows = stride(from: 0, to: size.height, by: rowsEach * down).map {
      $0..<min($0 + rowsEach * down, size.height)
    }
  }
}

/// A slice of a picture's rows, which one thread encodes.
private final class Slice: @unchecked Sendable {
  // Unchecked because one thread encodes, and other threads read only after it has ended.
  private let target: PlanarTarget
  private let rows: Range<Int>
  private let quality: Int
  private var output = CodecBuffer()
  private(set) var error: StillError?

  init(_ target: PlanarTarget, _ rows: Range<Int>, quality: Int) {
    self.target = target
    self.rows = rows
    self.quality = quality
  }

  func encode() {
    do throws(StillError) {
      output = try target.encode(quality: quality, rows: rows)
    } catch {
      self.error = error
    }
  }

  private var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: output.start, count: Int(output.count))
  }

  /// Offsets in a slice's own JPEG.
  private struct Places {
    /// The offset of the height in the frame header.
    var height: Int
    /// The offset of the scan header.
    var scan: Int
    var data: Range<Int>

    init?(_ bytes: UnsafeRawBufferPointer) {
      var markers = JPEGMarkers(bytes, at: 2)
      var found: Int?
      while case .marker(let marker) = markers.next() {
        if marker.code == 0xC0 { found = marker.body.lowerBound + 1 }
        guard marker.code == 0xDA else { continue }
        let start = marker.body.upperBound
        guard let found, start <= bytes.count - 2,
          bytes.bigEndian16(at: bytes.count - 2) == 0xFFD9
        else { return nil }
        (height, scan, data) = (found, marker.offset, start..<bytes.count - 2)
        return
      }
      return nil
    }
  }

  /// Returns one picture of all slices, or nil if a slice has an unexpected structure.
  static func join(_ slices: [Slice], restartInterval: Int, height: Int) -> CodecBuffer? {
    let places = slices.compactMap { Places($0.bytes) }
    guard places.count == slices.count, let first = places.first else { return nil }
    let total = slices.reduce(16) { $0 + $1.bytes.count }
    var output = CodecBuffer(room: total)
    guard let start = output.start, Int(output.count) == total else { return nil }
    let target = UnsafeMutableRawBufferPointer(start: start, count: total)
    var used = 0
    func put(_ part: UnsafeRawBufferPointer) {
      UnsafeMutableRawBufferPointer(rebasing: target[used...]).copyMemory(from: part)
      used += part.count
    }
    func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }
    func halves(_ number: Int) -> [UInt8] {
      [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    put(slices[0].bytes.part(0..<first.scan))
    target[first.height] = halves(height)[0]
    target[first.height + 1] = halves(height)[1]
    put([0xFF, 0xDD, 0, 4] + halves(restartInterval))
    put(slices[0].bytes.part(first.scan..<first.data.upperBound))
    for index in slices.indices.dropFirst() {
      put([0xFF, 0xD0 + UInt8(truncatingIfNeeded: (index - 1) & 7)])
      put(slices[index].bytes.part(places[index].data))
    }
    put([0xFF, 0xD9])
    output.count = UInt(used)
    return output
  }
}
