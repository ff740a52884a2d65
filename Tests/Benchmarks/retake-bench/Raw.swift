import Glibc
import Imaging
import Media

/// A raw frame to a portrait JPEG, turned by 90°, with all its metadata.
enum Raw {
  /// `FORMAT:SIZE FILE QUALITY OUTPUT [ROUNDS]`.
  static func run(_ words: [String]) throws {
    guard words.count >= 4, let description = StillTool.RawDescription(words[0]),
      let quality = Int(words[2])
    else { Main.fail("usage: retake-bench raw FORMAT:SIZE FILE QUALITY OUTPUT [ROUNDS]") }
    let bytes = contents(words[1])
    let rounds = words.count > 4 ? Int(words[4]) ?? 20 : 20
    var maker = StillMaker(quality: quality)
    // The processor's time is that of one thread: the figure for one core.
    maker.slices = 1
    let turned = Orientation(mount: .clockwise, mirror: .none, enforce: .off)
    let image = FrameImage(
      bytes: bytes, format: description.format, size: description.size, bytesPerLine: 0)
    let inspection = FrameGate.inspect(image)
    try maker.make(
      image, inspection: inspection, orientation: turned, metadata: Lossless.metadata
    ).write(to: words[3])
    try measure(
      rounds: rounds,
      [
        (
          "still",
          {
            maker.embedsThumbnail = true
            _ = try maker.make(
              image, inspection: inspection, orientation: turned, metadata: Lossless.metadata)
          }
        ),
        (
          "still, no metadata",
          { _ = try maker.make(image, inspection: inspection, orientation: turned) }
        ),
      ])
    // By the clock on the wall, which is what more cores are for; in turn, as above.
    try measure(
      rounds: rounds, clock: CLOCK_MONOTONIC,
      [1, StillMaker.defaultSlices].map { slices in
        (
          "still, wall, \(slices == 1 ? "one core" : "all cores")",
          {
            maker.slices = slices
            maker.embedsThumbnail = true
            _ = try maker.make(
              image, inspection: inspection, orientation: turned, metadata: Lossless.metadata)
          }
        )
      })
  }
}
