import Imaging
import Media
import Synchronization

/// Makes small pictures, with the memory of one opener.
final class SmallPictureMaker: Sendable {
  private let size: PixelSize
  private let quality: Int
  private let opener = Mutex(PictureOpener())

  /// Makes a maker of pictures of at most `side` pixels each way.
  init(side: Int, quality: Int) {
    size = PixelSize(width: side, height: side)
    self.quality = quality
  }

  /// A small upright JPEG; nil for what cannot be opened.
  @Sendable func make(_ bytes: [UInt8]) -> [UInt8]? {
    opener.withLock { opener -> [UInt8]? in
      try? bytes.withBytes { (bytes) throws(StillError) in
        try opener.open(bytes, fitting: size, quality: quality).bytes()
      }
    }
  }
}
