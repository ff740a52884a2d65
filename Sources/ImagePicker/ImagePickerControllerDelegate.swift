/// Who hears what a picker picked.
///
/// A delegate dismisses the picker, as in UIKit. One that does not, or that is gone by then, does
/// not hold up the station: the picker goes away by itself when its end screen has been shown.
@MainActor public protocol ImagePickerControllerDelegate: AnyObject {
  /// One medium was picked.
  func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any])

  /// One medium or several were picked, in the order chosen.
  ///
  /// By default the first is passed to `imagePickerController(_:didFinishPickingMediaWithInfo:)`.
  func imagePickerController(
    _ picker: ImagePickerController, didFinishPicking results: [PickedMedia])

  /// The guest gave up; by default the picker is dismissed.
  func imagePickerControllerDidCancel(_ picker: ImagePickerController)

  /// The photo under review can be made of other frames, or another of them was chosen.
  ///
  /// UIKit has no such call; by default it does nothing. ``ImagePickerController/chooseFrame(_:)``
  /// chooses.
  func imagePickerController(_ picker: ImagePickerController, didOffer frames: ReviewFrames)

  /// The session could not go on, and nothing was picked.
  ///
  /// UIKit has no such call; by default it is `imagePickerControllerDidCancel(_:)`.
  func imagePickerController(_ picker: ImagePickerController, didFailWith error: PickerError)
}

extension ImagePickerControllerDelegate {
  /// Passes the first on.
  public func imagePickerController(
    _ picker: ImagePickerController, didFinishPicking results: [PickedMedia]
  ) {
    guard let first = results.first else { return imagePickerControllerDidCancel(picker) }
    imagePickerController(picker, didFinishPickingMediaWithInfo: first.info)
  }

  /// Dismisses the picker.
  public func imagePickerControllerDidCancel(_ picker: ImagePickerController) {
    picker.dismiss()
  }

  /// Does nothing.
  public func imagePickerController(
    _ picker: ImagePickerController, didOffer frames: ReviewFrames
  ) {}

  /// Treats it as given up.
  public func imagePickerController(
    _ picker: ImagePickerController, didFailWith error: PickerError
  ) {
    imagePickerControllerDidCancel(picker)
  }
}
