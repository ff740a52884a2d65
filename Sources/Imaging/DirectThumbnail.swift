import CTurboJPEG
import Platform

/// A thumbnail that costs no decoding: the mean of each block is its DC coefficient, which passes
/// by while the still's data is moved.
struct DirectThumbnail {
  private var steps = SIMD4<Int>()
  private var planes: [[Int16]] = [[], [], []]
  private var rows = SIMD4<Int>()

  /// Prepares for a picture with that header.
  init(_ header: JPEGWalk) {
    for component in 0..<3 { steps[component] = header.directStep(component) }
  }

  /// Called by TurboJPEG for every row of blocks; never changes a coefficient.
  static let filter:
    @convention(c) (
      UnsafeMutablePointer<Int16>?, tjregion, tjregion, Int32, Int32,
      UnsafeMutablePointer<tjtransform>?
    ) -> Int32 = { coefficients, array, _, component, _, transform in
      guard let coefficients, let data = transform?.pointee.data, (0..<3).contains(component)
      else { return 0 }
      let thumbnail = data.assumingMemoryBound(to: DirectThumbnail.self)
      let index = Int(component)
      let blocks = Int(array.w) / 8
      thumbnail.pointee.rows[index] = blocks
      for block in 0..<blocks { thumbnail.pointee.planes[index].append(coefficients[block * 64]) }
      return 0
    }

  /// The thumbnail of a still of `size` as JPEG; nil if it cannot be made.
  func encode(_ size: PixelSize) -> [UInt8]? {
    let small = SmallPicture.size(size)
    // Of large stills every other block is enough.
    let stride = SmallPicture.divisor(size) / 8
    let isGrey = planes[1].isEmpty
    // What the planes' own sizes say of chroma.
    let ratio = { (whole: Int, part: Int) in part > 0 && whole >= 2 * part - 1 && whole > part }
    guard rows[0] > 0 else { return nil }
    let across = !isGrey && ratio(rows[0], rows[1])
    let down =
      !isGrey && rows[1] > 0
      && ratio(planes[0].count / rows[0], planes[1].count / rows[1])
    let sampling =
      isGrey
      ? TJSAMP_GRAY : across ? (down ? TJSAMP_420 : TJSAMP_422) : down ? TJSAMP_440 : TJSAMP_444
    var picture = SmallPicture(small, sampling: sampling)
    for index in 0..<(isGrey ? 1 : 3) {
      let row = rows[index]
      guard row > 0 else { return nil }
      let last = planes[index].count / row - 1
      let step = steps[index]
      planes[index].withUnsafeBufferPointer { plane in
        picture.fill(index) { x, y in
          let place = min(y * stride, last) * row + min(x * stride, row - 1)
          return 128 + (Int(plane[place]) * step + 4) >> 3
        }
      }
    }
    return picture.encode()
  }
}
