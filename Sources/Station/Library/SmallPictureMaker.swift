import Imaging
import Media
import Synchronization

/// Makes thumbnails with the memory of one opener.
final class SmallPictureMaker: Sendable {
  private let size: PixelSize
  private let quality: Int
  private let opener = Mutex(PictureOpener())

  /// Creates a maker of pictures of at most `side` pixels in each direction.
  init(side: Int, quality: Int) {
    size = PixelSize(width: side, height: side)
    self.quality = quality
  }

  /// Returns a small upright JPEG, or `nil` when the picture cannot be opened.
  @Sendable func make(_ bytes: [UInt8]) -> [UInt8]? {
    opener.withLock { opener -> [UInt8]? in
      try? bytes.withBytes { (bytes) throws(StillError) in
        try opener.open(bytes, fitting: size, quality: quality).bytes()
      }
    }
  }
}
