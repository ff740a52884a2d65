import CTurboJPEG
import Media

/// A thumbnail that needs no decoding, because the mean of each block is its DC coefficient, which
/// is read while the still's data is moved.
///
/// Only blocks that become a sample are read, because the coefficients of a large frame are no
/// longer cached.
struct DirectThumbnail {
  private struct Plane {
    /// The quantiser step of the DC coefficients.
    var step = 0
    /// The number of blocks for a sample of the thumbnail as a fraction, across and down.
    var across = (1, 1)
    var down = (1, 1)
    var size = PixelSize(width: 0, height: 0)
    var start: UnsafeMutablePointer<UInt8>
    /// The number of rows of blocks that were read.
    var passed = 0
    /// The number of filled rows of the thumbnail.
    var filled = 0
  }

  private var picture: SmallPicture
  private var planes: (Plane, Plane, Plane)

  /// Prepares the thumbnail of the still that `geometry` makes from a picture with that header;
  /// returns nil if there is no memory.
  init?(_ header: JPEGWalk, _ geometry: StillGeometry, in buffer: inout ScratchBuffer) {
    let size = SmallPicture.size(geometry.size)
    let isGrey = header.componentCount == 1
    guard let picture = SmallPicture(size, isGrey: isGrey, in: &buffer) else { return nil }
    let blocks = SmallPicture.divisor(geometry.size) / 8
    let most = (header.horizontal.max(), header.vertical.max())
    func plane(_ component: Int) -> Plane {
      let index = min(component, isGrey ? 0 : 2)
      var plane = Plane(step: header.directStep(index), start: picture.starts[index])
      plane.size = picture.sizes[index]
      guard !isGrey else {
        (plane.across, plane.down) = ((blocks, 1), (blocks, 1))
        return plane
      }
      // A sample stands for `blocks` of luma, or of 4:2:0 chroma.
      let share = index == 0 ? blocks : 2 * blocks
      plane.across = (share * header.horizontal[index], most.0)
      plane.down = (share * header.vertical[index], most.1)
      if geometry.isTurned { swap(&plane.across, &plane.down) }
      return plane
    }
    planes = (plane(0), plane(1), plane(2))
    self.picture = picture
  }

  /// The filter that TurboJPEG calls for every row of blocks; it never changes a coefficient.
  static let filter:
    @convention(c) (
      UnsafeMutablePointer<Int16>?, tjregion, tjregion, Int32, Int32,
      UnsafeMutablePointer<tjtransform>?
    ) -> Int32 = { coefficients, array, _, component, _, transform in
      guard let coefficients, let data = transform?.pointee.data else { return 0 }
      let thumbnail = data.assumingMemoryBound(to: DirectThumbnail?.self)
      thumbnail.pointee?.pass(Int(component), coefficients, Int(array.w) / 8)
      return 0
    }

  private mutating func pass(
    _ component: Int, _ coefficients: UnsafeMutablePointer<Int16>, _ blocks: Int
  ) {
    switch component {
    case 0: Self.pass(coefficients, blocks, &planes.0)
    case 1: Self.pass(coefficients, blocks, &planes.1)
    case 2: Self.pass(coefficients, blocks, &planes.2)
    default: break
    }
  }

  private static func pass(
    _ coefficients: UnsafeMutablePointer<Int16>, _ blocks: Int, _ plane: inout Plane
  ) {
    defer { plane.passed += 1 }
    guard blocks > 0 else { return }
    while plane.filled < plane.size.height,
      plane.filled * plane.down.0 / plane.down.1 <= plane.passed
    {
      let row = plane.start + plane.filled * plane.size.width
      plane.filled += 1
      let (step, across) = (plane.step, plane.across)
      if across.1 == 1 || across.0 % across.1 == 0 {
        let stride = across.0 / across.1
        for x in 0..<plane.size.width {
          row[x] = sample(coefficients[min(x * stride, blocks - 1) * 64], step)
        }
      } else {
        for x in 0..<plane.size.width {
          row[x] = sample(coefficients[min(x * across.0 / across.1, blocks - 1) * 64], step)
        }
      }
    }
  }

  @inline(__always)
  private static func sample(_ coefficient: Int16, _ step: Int) -> UInt8 {
    UInt8(clamping: 128 + (Int(coefficient) * step + 4) >> 3)
  }

  /// Returns the thumbnail as JPEG, or nil if it cannot be made.
  mutating func encode() -> [UInt8]? {
    Self.complete(&planes.0)
    Self.complete(&planes.1)
    Self.complete(&planes.2)
    return picture.encode()
  }

  /// Repeats the last row for the rows that the frame had no blocks for.
  private static func complete(_ plane: inout Plane) {
    guard plane.filled > 0 else { return }
    while plane.filled < plane.size.height {
      let row = plane.start + plane.filled * plane.size.width
      row.update(from: row - plane.size.width, count: plane.size.width)
      plane.filled += 1
    }
  }
}
