import ImagePicker

/// How a page shows a session that a program has presented.
struct SessionLook: Equatable, Sendable {
  /// The form of it.
  var style: ImagePickerController.PresentationStyle
  /// Whether the page shows its buttons.
  var showsCameraControls: Bool

  /// What the page calls the form.
  var word: String {
    switch style {
    case .fullScreen: "fullScreen"
    case .sheet: "sheet"
    case .popover: "popover"
    case .headless: "headless"
    }
  }
}
