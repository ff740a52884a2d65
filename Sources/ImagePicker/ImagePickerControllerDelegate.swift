/// An object that a picker notifies of the picked media.
///
/// A delegate dismisses the picker, as in UIKit. If the delegate does not do so, or has been
/// deallocated by then, the picker is dismissed after its end screen has been shown.
@MainActor public protocol ImagePickerControllerDelegate: AnyObject {
  /// Called when one medium was picked.
  func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any])

  /// Called when one or more media were picked, in the order in which the guest chose them.
  ///
  /// The default implementation passes the first to
  /// `imagePickerController(_:didFinishPickingMediaWithInfo:)`.
  func imagePickerController(
    _ picker: ImagePickerController, didFinishPicking results: [PickedMedia])

  /// Called when the session was cancelled; the default implementation dismisses the picker.
  func imagePickerControllerDidCancel(_ picker: ImagePickerController)

  /// Called when a review offers other frames for its photo, and each time the offer changes, for
  /// example when another frame was chosen.
  ///
  /// UIKit has no such call; the default implementation does nothing.
  /// ``ImagePickerController/chooseFrame(_:)`` chooses a frame.
  func imagePickerController(_ picker: ImagePickerController, didOffer frames: ReviewFrames)

  /// Called when the session failed and nothing was picked.
  ///
  /// UIKit has no such call; the default implementation calls `imagePickerControllerDidCancel(_:)`.
  func imagePickerController(_ picker: ImagePickerController, didFailWith error: PickerError)
}

extension ImagePickerControllerDelegate {
  /// Passes the first medium to `imagePickerController(_:didFinishPickingMediaWithInfo:)`.
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

  /// Handles the failure as a cancellation.
  public func imagePickerController(
    _ picker: ImagePickerController, didFailWith error: PickerError
  ) {
    imagePickerControllerDidCancel(picker)
  }
}
