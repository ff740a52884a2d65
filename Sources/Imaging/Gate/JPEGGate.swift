import Media

/// The check of a JPEG frame, which walks over its segments and its entropy-coded data without
/// decoding.
///
/// The check allocates nothing, takes no lock, and reads each byte at most a few times and none
/// past the end. The check may run on any thread. Source: ITU-T T.81, annex B.
///
/// **The rule for frames without a whole EOI.** A frame without an end was nearly always cut, so
/// its bytes must prove that it is complete. Trailing zeros are ignored. The rest must end in a
/// remainder of EOI (`FF`, `D9`, or `FF` and another byte that is no data), or zeros must stand in
/// EOI's place. Only then are the Huffman codes counted, without computing coefficients. The frame
/// is accepted if the last block of the last MCU ends exactly there and its last byte is filled
/// with ones. A frame that is cut anywhere else lacks blocks and is `damaged(.cut)`. Files of a
/// library have no deadline, so their codes are counted regardless of their end.
package enum JPEGGate {
  /// Inspects a frame; `expected` is the size that the camera granted, or nil for any.
  ///
  /// With `countsPlainEnds` the codes are also counted in a frame that has no remainder of an EOI.
  package static func inspect(
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
    // The number of attempts is small, so that a hostile frame full of SOIs costs only a few walks.
    for _ in 0..<4 {
      guard let start = findStart(bytes, from: from) else { break }
      var walk = JPEGWalk(bytes: bytes, start: start)
      walk.countsPlainEnds = countsPlainEnds
      let damage = walk.run(expected: expected)
      guard let damage else { return walk.inspection }
      if first == nil { first = damaged(damage, walk.size) }
      // The picture may follow the fault, if the tail of an older frame came first. Bytes before
      // the fault are skipped, because a thumbnail inside a segment is not the picture.
      from = max(walk.position, start + 2)
    }
    return first ?? damaged(bytes.count < 128 ? .short : .notPicture)
  }

  /// Returns the offset of the next SOI that a marker follows.
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
