import Media

/// The position and the duration of each picture of a movie.
struct SampleTable {
  /// Consecutive pictures in the file.
  struct Chunk {
    var offset: Int
    var count: Int
  }

  private(set) var sizes: [UInt32] = []
  private(set) var durations: [UInt32] = []
  /// The numbers of the key pictures, from 1.
  private(set) var keys: [UInt32] = []
  private(set) var chunks: [Chunk] = []
  /// The ticks from the first picture to the end of the last.
  private(set) var duration = 0

  var count: Int { sizes.count }

  init(room: Int) {
    sizes.reserveCapacity(room)
    durations.reserveCapacity(room)
  }

  mutating func add(size: Int, duration: Int, isKey: Bool) {
    sizes.append(UInt32(clamping: size))
    durations.append(UInt32(clamping: duration))
    self.duration += Int(UInt32(clamping: duration))
    if isKey { keys.append(UInt32(clamping: sizes.count)) }
  }

  mutating func add(chunkAt offset: Int, of count: Int) {
    chunks.append(Chunk(offset: offset, count: count))
  }

  /// Writes the boxes below `stbl` that follow the description.
  ///
  /// Source: ISO/IEC 14496-12, 8.6 and 8.7.
  func write(to writer: inout BoxWriter) {
    writer.full("stts") { writer in
      let start = writer.bytes.count
      writer.u32(0)
      var runs = 0
      var index = 0
      while index < durations.count {
        var end = index + 1
        while end < durations.count, durations[end] == durations[index] { end += 1 }
        writer.u32(end - index)
        writer.u32(Int(durations[index]))
        runs += 1
        index = end
      }
      writer.patch(runs, at: start)
    }
    if keys.count < count {
      writer.full("stss") { writer in
        writer.u32(keys.count)
        for key in keys { writer.u32(Int(key)) }
      }
    }
    writer.full("stsc") { writer in
      let start = writer.bytes.count
      writer.u32(0)
      var runs = 0
      for (index, chunk) in chunks.enumerated() {
        if index > 0, chunks[index - 1].count == chunk.count { continue }
        writer.u32(index + 1)
        writer.u32(chunk.count)
        writer.u32(1)
        runs += 1
      }
      writer.patch(runs, at: start)
    }
    writer.full("stsz") { writer in
      writer.u32(0)
      writer.u32(count)
      for size in sizes { writer.u32(Int(size)) }
    }
    if (chunks.last?.offset ?? 0) <= Int(UInt32.max) {
      writer.full("stco") { writer in
        writer.u32(chunks.count)
        for chunk in chunks { writer.u32(chunk.offset) }
      }
    } else {
      writer.full("co64") { writer in
        writer.u32(chunks.count)
        for chunk in chunks { writer.u64(chunk.offset) }
      }
    }
  }
}
