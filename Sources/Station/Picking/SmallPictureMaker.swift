import Imaging
import Platform
import Synchronization

/// Makes thumbnails of pictures from outside, with the memory of one opener.
final class SmallPictureMaker: Sendable {
  private static let size = PixelSize(width: 320, height: 320)
  private let opener = Mutex(PictureOpener())

  /// A small upright JPEG; nil for what cannot be opened.
  @Sendable func make(_ bytes: [UInt8]) -> [UInt8]? {
    opener.withLock { opener -> [UInt8]? in
      try? bytes.withBytes { (bytes) throws(StillError) in
        try opener.open(bytes, fitting: SmallPictureMaker.size, quality: 75).bytes()
      }
    }
  }
}
