import FoundationEssentials
import ImagePicker
import Imaging
import Media
import PhotoLibrary

// Pictures of a library that are read when they are asked for.
extension StillImage {
  /// Makes the image of a picture that was `size` when it was chosen, upright.
  init(
    again id: String, of size: PixelSize, at url: URL, from browser: PhotoBrowser
  ) {
    self.init(size: size, fileURL: url) {
      var editor = PictureEditor()
      return Data(try StillImage.upright(id, size, browser, &editor).bytes)
    }
  }

  /// Makes the image of an edit that was `edited` when it was made of a picture of `size`.
  init(
    again id: String, _ edit: PictureEdit, _ edited: PixelSize,
    of size: PixelSize, from browser: PhotoBrowser
  ) {
    self.init(size: edited) {
      var editor = PictureEditor()
      // Of the original, which has all pixels.
      let bytes = try StillImage.original(id, size, browser)
      let still = try bytes.withBytes { (bytes) throws(StillError) in
        try edit.apply(bytes, &editor, metadata: PhotoCollector.metadata)
      }
      return Data(still.bytes())
    }
  }

  private static func upright(
    _ id: String, _ size: PixelSize, _ browser: PhotoBrowser,
    _ editor: inout PictureEditor
  ) throws -> PictureEditor.Upright {
    let bytes = try original(id, size, browser)
    return try bytes.withBytes { (bytes) throws(StillError) in try editor.upright(bytes) }
  }

  private static func original(
    _ id: String, _ size: PixelSize, _ browser: PhotoBrowser
  ) throws -> [UInt8] {
    let bytes = try browser.original(of: id)
    let now = try bytes.withBytes { (bytes) throws(StillError) in
      try PictureEditor.size(of: bytes)
    }
    guard now == size else {
      throw LibraryError(
        .notFound, "the picture \(id) was changed after it was chosen; choose it again")
    }
    return bytes
  }
}
