import CLibAV
import Imaging
import Media

/// Writes a movie as MP4 while it is recorded.
///
/// The file is playable at any time: it begins with a head that describes the track, and grows by
/// fragments of half a second. At the end the head is written again with the tables of all
/// pictures, in the room that was reserved at the beginning. The fragments then become one `mdat`
/// box. So no bytes are copied, no further room is needed on a full disk, and the tables are at the
/// start, where players over a network need them.
///
/// For one thread at a time.
struct MP4Writer: ~Copyable {
  /// The room in the head besides tables, in bytes.
  static let headBase = 4096
  /// The maximum size of a thumbnail, in bytes.
  static let thumbnailBytes = 48 << 10

  private struct Sample {
    var ticks: Int64
    var start: Int
    var size: Int
    var isKey: Bool
  }

  private let output: any MovieOutput
  private let plan: MoviePlan
  private var track: MovieTrack
  private var table: SampleTable
  private let headBytes: Int
  private var thumbnail: [UInt8] = []
  /// The offset of the next fragment.
  private(set) var position: Int
  private var sequence = 0
  /// The pictures that are in no fragment yet, and their bytes.
  private var samples: [Sample] = []
  private var payload: [UInt8] = []

  /// Returns the size of a movie's head in bytes.
  static func headBytes(_ plan: MoviePlan) -> Int {
    // Each picture needs its size, duration and key number; each fragment needs its offset and
    // count.
    headBase + thumbnailBytes + plan.mostSamples * 16 + (plan.mostSamples / 2 + 64) * 20
  }

  /// Begins a file and reserves the room for its head.
  ///
  /// `header` has H.264's parameter sets with start codes, if the encoder has them already.
  init(
    _ plan: MoviePlan, to output: any MovieOutput, created: Int64?, header: [UInt8] = []
  ) throws(MovieError) {
    self.plan = plan
    self.output = output
    var track = MovieTrack(plan: plan)
    track.created = created
    header.withUnsafeBytes { _ = track.use(header: $0) }
    self.track = track
    table = SampleTable(room: plan.mostSamples)
    headBytes = MP4Writer.headBytes(plan)
    position = headBytes
    payload.reserveCapacity(1 << 20)
    try writeHead(isFragmented: true)
  }

  /// The number of pictures, including those that are not written yet.
  var count: Int { table.count + samples.count }

  /// Returns whether another picture of `bytes` bytes fits.
  func hasRoom(for bytes: Int) -> Bool {
    count < plan.mostSamples && position + payload.count + bytes < plan.mostBytes
  }

  /// Sets the movie's thumbnail, a JPEG; one that is too large is left out.
  mutating func use(thumbnail: [UInt8]) {
    if thumbnail.count <= MP4Writer.thumbnailBytes { self.thumbnail = thumbnail }
  }

  /// Takes H.264's parameter sets from an encoder's first picture, if they were not known before.
  mutating func use(header: UnsafeRawBufferPointer) throws(MovieError) {
    if track.use(header: header) { try writeHead(isFragmented: true) }
  }

  /// Whether the track's description is complete.
  var isDescribed: Bool { plan.coding == .copy || !track.sequenceSet.isEmpty }

  /// Adds a picture, for H.264 in units with start codes.
  ///
  /// Times must rise. The call writes a fragment when it is due.
  mutating func add(
    _ bytes: UnsafeRawBufferPointer, at ticks: Int64, isKey: Bool
  ) throws(MovieError) {
    // The fragment is written before the new picture is added, because its time ends the one
    // before.
    if let first = samples.first, ticks - first.ticks >= Int64(VideoEncoder.timeBase / 2) {
      try writeFragment(next: ticks)
    }
    let start = payload.count
    if plan.coding == .copy {
      payload.append(contentsOf: bytes)
    } else {
      appendUnits(bytes)
    }
    let size = payload.count - start
    guard size > 0 else { return }
    samples.append(Sample(ticks: ticks, start: start, size: size, isKey: isKey))
  }

  private mutating func appendUnits(_ bytes: UnsafeRawBufferPointer) {
    let start = payload.count
    // A start code has three or four bytes, a length has four.
    let room = bytes.count + bytes.count / 2 + 64
    payload.append(contentsOf: repeatElement(0, count: room))
    let written = payload.withUnsafeMutableBufferPointer { all in
      clibav_lengths(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count,
        all.baseAddress.map { $0 + start }, room)
    }
    payload.removeLast(room - written)
  }

  // MARK: Fragments

  /// Writes the pending pictures; the last one is shown until `next`.
  ///
  /// After an error the file is unchanged.
  private mutating func writeFragment(next: Int64) throws(MovieError) {
    guard let first = samples.first else { return }
    let head = fragmentHead(first, next)
    let bytes = head.count + payload.count
    defer {
      samples.removeAll(keepingCapacity: true)
      payload.removeAll(keepingCapacity: true)
    }
    guard output.hasRoom(for: bytes) else {
      throw MovieError(
        .full,
        "the movie's disk is full but for its reserve",
        fix: "free some, or lower 'library.reserve'")
    }
    do throws(MovieError) {
      try MP4Writer.write(head, to: output, at: position)
      try MP4Writer.write(payload, to: output, at: position + head.count)
    } catch {
      try? output.truncate(to: position)
      throw error
    }
    table.add(chunkAt: position + head.count, of: samples.count)
    for (index, sample) in samples.enumerated() {
      let end = index + 1 < samples.count ? samples[index + 1].ticks : next
      table.add(size: sample.size, duration: Int(end - sample.ticks), isKey: sample.isKey)
    }
    position += bytes
  }

  private static func write(
    _ bytes: [UInt8], to output: any MovieOutput, at offset: Int
  ) throws(MovieError) {
    let result: Result<Void, MovieError> = bytes.withUnsafeBytes { bytes in
      Result { () throws(MovieError) in try output.write(bytes, at: offset) }
    }
    try result.get()
  }

  /// Returns the boxes before a fragment's pictures.
  ///
  /// Source: ISO/IEC 14496-12, 8.8.
  private mutating func fragmentHead(_ first: Sample, _ next: Int64) -> [UInt8] {
    sequence += 1
    var writer = BoxWriter()
    var place = 0
    writer.box("moof") { writer in
      writer.full("mfhd") { $0.u32(sequence) }
      writer.box("traf") { writer in
        // Offsets count from the fragment's start.
        writer.full("tfhd", flags: 0x20000) { $0.u32(1) }
        writer.full("tfdt", version: 1) { $0.u64(Int(first.ticks)) }
        writer.full("trun", flags: 0x701) { writer in
          writer.u32(samples.count)
          place = writer.bytes.count
          writer.u32(0)
          for (index, sample) in samples.enumerated() {
            let end = index + 1 < samples.count ? samples[index + 1].ticks : next
            writer.u32(Int(end - sample.ticks))
            writer.u32(sample.size)
            writer.u32(sample.isKey ? 0x0200_0000 : 0x0101_0000)
          }
        }
      }
    }
    writer.patch(writer.bytes.count + 8, at: place)
    writer.u32(payload.count + 8)
    writer.text("mdat")
    return writer.bytes
  }

  // MARK: The head

  private func head(isFragmented: Bool) -> [UInt8] {
    var writer = BoxWriter()
    track.fileType(to: &writer)
    track.movie(table, isFragmented: isFragmented, to: &writer)
    if !thumbnail.isEmpty {
      writer.box("uuid") { writer in
        writer.add(MovieMark.thumbnail)
        writer.add(thumbnail)
      }
    }
    // In the finished file, everything after the head is one box with the pictures.
    let last = isFragmented ? 0 : 16
    let rest = headBytes - writer.bytes.count - last
    guard rest >= 8 else { return [] }
    writer.u32(rest)
    writer.text("free")
    writer.zeros(rest - 8)
    if !isFragmented {
      writer.u32(1)
      writer.text("mdat")
      writer.u64(position - headBytes + 16)
    }
    return writer.bytes
  }

  private func writeHead(isFragmented: Bool) throws(MovieError) {
    let bytes = head(isFragmented: isFragmented)
    guard bytes.count == headBytes else {
      throw MovieError(.output, "the movie has more pictures than its tables have room for")
    }
    try MP4Writer.write(bytes, to: output, at: 0)
  }

  /// Writes the last fragment and the head with all tables.
  ///
  /// `end` is the end of the last picture's time. A failure of the last fragment is an error only
  /// if there is no other; otherwise the movie is complete up to it.
  mutating func finish(at end: Int64) throws(MovieError) -> MovieFileSummary {
    var problem: MovieError?
    do throws(MovieError) {
      try writeFragment(next: max(end, (samples.last?.ticks ?? 0) + 1))
    } catch {
      problem = error
    }
    guard table.count > 0 else {
      throw problem ?? MovieError(.noFrames, "the camera gave no usable frame for the movie")
    }
    var summary = MovieFileSummary(
      frames: table.count, ticks: table.duration, bytes: position, problem: problem)
    do throws(MovieError) {
      try writeHead(isFragmented: false)
    } catch {
      // The fragments are still a playable movie, if the head has not changed.
      try writeHead(isFragmented: true)
      summary.isFastStart = false
    }
    return summary
  }
}

/// The content of a finished file.
struct MovieFileSummary {
  var frames: Int
  var ticks: Int
  var bytes: Int
  /// The error that kept the last pictures out of the file.
  var problem: MovieError?
  var isFastStart = true
}
