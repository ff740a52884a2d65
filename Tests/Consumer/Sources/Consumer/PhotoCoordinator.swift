import ImagePicker
import Station

/// A coordinator as an app has it for `UIImagePickerController`.
///
/// The coordinator has no code for booths. The code asks which sources are available, sets up a
/// picker, receives the delegate's two callbacks, and dismisses the picker.
@MainActor final class PhotoCoordinator: ImagePickerControllerDelegate {
  enum Outcome {
    case picked([ImagePickerController.InfoKey: Any])
    case cancelled
  }

  /// The alert that an app shows when no picker can be presented.
  struct Alert: Error {
    var message: String
  }

  private let station: Station
  private var completion: ((Outcome) -> Void)?
  private(set) var picker: ImagePickerController?

  init(station: Station) { self.station = station }

  func show(
    _ sourceType: ImagePickerController.SourceType, allowsEditing: Bool = false,
    completion: @escaping (Outcome) -> Void
  ) async throws {
    guard ImagePickerController.isSourceTypeAvailable(sourceType) else {
      throw Alert(message: "This source is not available.")
    }
    guard let types = ImagePickerController.availableMediaTypes(for: sourceType),
      types.contains(.image)
    else { throw Alert(message: "There are no pictures here.") }
    let picker = ImagePickerController()
    picker.sourceType = sourceType
    picker.mediaTypes = [.image]
    picker.allowsEditing = allowsEditing
    picker.delegate = self
    self.completion = completion
    self.picker = picker
    try await station.present(picker, as: .fullScreen)
  }

  // MARK: ImagePickerControllerDelegate

  func imagePickerController(
    _ picker: ImagePickerController,
    didFinishPickingMediaWithInfo info: [ImagePickerController.InfoKey: Any]
  ) {
    picker.dismiss()
    finish(.picked(info))
  }

  func imagePickerControllerDidCancel(_ picker: ImagePickerController) {
    picker.dismiss()
    finish(.cancelled)
  }

  private func finish(_ outcome: Outcome) {
    let completion = completion
    (self.completion, picker) = (nil, nil)
    completion?(outcome)
  }
}
