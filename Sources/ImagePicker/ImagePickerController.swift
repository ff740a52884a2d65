/// A picker as UIKit developers know it (`UIImagePickerController`), for a booth.
@MainActor public final class ImagePickerController {
  /// Where pictures come from.
  public enum SourceType: Int, Sendable, CaseIterable {
    /// Every album under the library's roots.
    case photoLibrary = 0
    /// The live camera.
    case camera = 1
    /// The album that this station saves to.
    case savedPhotosAlbum = 2
  }
}
