import Media

/// The look at a JPEG frame: a walk over its segments and its entropy-coded data, without decoding.
///
/// It allocates nothing, reads each byte at most a few times and none past the end, and takes no
/// lock; safe from any thread. Source: ITU-T T.81, annex B.
///
/// **The rule for frames without a whole EOI.** A missing end is nearly always a frame that was
/// cut, so the bytes must prove that they are not. Trailing zeros are set aside; what is left must
/// end in a leftover of EOI (`FF`, `D9`, or `FF` and another byte that is no data), or in zeros
/// where EOI should be. Only then are the Huffman codes counted through, without any arithmetic on
/// them: the frame is accepted if the last block of the last MCU ends exactly there, its last byte
/// filled with ones. A frame cut anywhere else lacks blocks and is `damaged(.cut)`. Files of a
/// library have no deadline, so that theirs are counted whatever they end in.
public enum JPEGGate {
  /// Looks at a frame; `expected` is the size that the camera granted, nil for any.
  ///
  /// With `countsPlainEnds` the codes are counted also where nothing is left over of EOI.
  public static func inspect(
    _ bytes: UnsafeRawBufferPointer, expected: PixelSize? = nil, countsPlainEnds: Bool = false
  ) -> FrameInspection {
    func damaged(_ damage: FrameDamage, _ size: PixelSize? = nil) -> FrameInspection {
      FrameInspection(
        verdict: .damaged(damage), picture: 0..<bytes.count,
        size: size ?? expected ?? PixelSize(width: 0, height: 0))
    }
    guard !bytes.isEmpty else { return damaged(.empty) }

    var from = 0
    var first: FrameInspection?
    // Few attempts: a hostile frame full of starts must not cost more than a few walks.
    for _ in 0..<4 {
      guard let start = findStart(bytes, from: from) else { break }
      var walk = JPEGWalk(bytes: bytes, start: start)
      walk.countsPlainEnds = countsPlainEnds
      let damage = walk.run(expected: expected)
      guard let damage else { return walk.inspection }
      if first == nil { first = damaged(damage, walk.size) }
      // What follows the fault may be the picture (the tail of an older frame came first). Never
      // what lies before it: a thumbnail inside a segment is not the picture.
      from = max(walk.position, start + 2)
    }
    return first ?? damaged(bytes.count < 128 ? .short : .notPicture)
  }

  /// Where the next SOI is that a marker follows.
  private static func findStart(_ bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
    var index = from
    while let found = bytes.firstFF(from: index) {
      guard found + 2 < bytes.count else { return nil }
      if bytes[found + 1] == 0xD8, bytes[found + 2] == 0xFF { return found }
      index = found + 1
    }
    return nil
  }
}
