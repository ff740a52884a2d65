import FoundationEssentials
import ImagePicker
import Imaging
import Media
import PhotoLibrary

// Pictures of a library that are read on demand.
extension StillImage {
  /// Creates the image of a library picture, which is read again on demand.
  ///
  /// `size` is the upright size at the time of the choice; another size later is an error.
  init(
    again id: String, of size: PixelSize, at url: URL, from browser: PhotoBrowser
  ) {
    self.init(size: size, fileURL: url) {
      var editor = PictureEditor()
      return Data(try StillImage.upright(id, size, browser, &editor).bytes)
    }
  }

  /// Creates the image of an edit, which is made again on demand.
  ///
  /// `edited` is the size of the edit, and `size` that of the picture at the time of the choice.
  init(
    again id: String, _ edit: PictureEdit, _ edited: PixelSize,
    of size: PixelSize, from browser: PhotoBrowser
  ) {
    self.init(size: edited) {
      var editor = PictureEditor()
      // The edit uses the original file, which has all pixels.
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
        .notFound, "the picture \(id) was changed after it was chosen",
        fix: "choose it again")
    }
    return bytes
  }
}
