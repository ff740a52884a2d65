import Capture
import ImagePicker
import Imaging
import KioskServer
import Platform
import StationConfiguration

extension KioskState {
  /// Creates the state that the page shows of the picker and its camera.
  init(
    _ configuration: Configuration, _ machine: PickerMachine, _ look: PageLook,
    _ source: CameraPart.View, began: MonotonicTime
  ) {
    let camera = source.camera
    let size = camera?.granted?.size
    self.init(
      snapshot: machine.snapshot, began: began,
      camera: .init(
        name: source.name, state: (camera?.state ?? .stopped).name,
        width: size?.width ?? 0, height: size?.height ?? 0),
      presentation: "\(look.style)", showsCameraControls: look.showsCameraControls)
    reviewEnd = .cancel
    if machine.configuration.reviewTimeout > .zero, machine.configuration.reviewEnd == .accept {
      reviewEnd = .accept
    }
    trouble = Trouble(machine)
    preview = KioskState.preview(of: camera, configuration.orientation)
    controls = KioskState.controls(configuration)
    panel = KioskState.panel(configuration)
    settings = Settings(configuration)
    if machine.conditions.movies.reason == nil {
      settings.modes = ["photo", "movie"]
      settings.movieSeconds = configuration.movie.maximum.milliseconds / 1000
    }
    needsPIN = configuration.web.pin != nil
  }

  private static func preview(of camera: Capture.Camera?, _ orientation: Orientation) -> Preview? {
    guard let lease = camera?.ring.newest() else { return nil }
    let frame = lease.frame
    let geometry = StillGeometry(
      of: frame.inspection, format: frame.image.format, orientation: orientation)
    return Preview(
      turns: geometry.turns, isMirrored: geometry.isPreviewMirrored,
      crop: .init(
        x: geometry.crop.x, y: geometry.crop.y, width: geometry.crop.size.width,
        height: geometry.crop.size.height),
      frame: geometry.frame)
  }

  /// Returns the labels of the buttons, by action.
  private static func controls(_ configuration: Configuration) -> [String: [String]] {
    var labels: [String: [String]] = [
      "shutter": [], "accept": [], "retake": [], "cancel": [], "next": [], "previous": [],
    ]
    for (name, button) in configuration.buttons.sorted(by: { $0.key < $1.key }) {
      let role = button.role?.rawValue ?? name
      var label = "button"
      if let key = button.key { label = key.hasPrefix("KEY_") ? String(key.dropFirst(4)) : key }
      if role == "one" {
        labels["shutter"]?.append(label)
        if let short = button.meaning.short { labels[short.rawValue]?.append(label) }
      } else {
        labels[role]?.append(label)
      }
    }
    return labels
  }

  /// Returns the buttons with a configured colour as they lie on the panel, row by row.
  private static func panel(_ configuration: Configuration) -> [PanelButton] {
    let buttons = configuration.buttons.compactMap { name, said -> PanelButton? in
      guard let colour = said.colour else { return nil }
      let role = said.role?.rawValue ?? name
      var button = PanelButton(
        name: name, role: role, colour: colour.rawValue, column: said.column, row: said.row)
      if role == "one" { button.inReview = said.meaning.short?.rawValue }
      // A flash in a button has no rhythm for guests to follow, so it is left out.
      let lamps = configuration.lamps.sorted { $0.key < $1.key }
      let lamp = lamps.first { $0.value.button == name && $0.value.role != .flash }
      button.lamp = lamp.map { $0.value.role?.rawValue ?? $0.key }
      return button
    }
    return buttons.sorted {
      ($0.row, $0.column ?? .max, $0.name) < ($1.row, $1.column ?? .max, $1.name)
    }
  }
}

extension KioskState.Trouble {
  /// Creates the trouble that blocks the picker or ended its session; `nil` when there is none.
  init?(_ machine: PickerMachine) {
    if case .failed(let reason) = machine.state {
      self.init(reason, trying: nil, retry: nil)
      return
    }
    if machine.session?.request.source ?? .camera != .camera {
      guard let reason = machine.conditions.library.reason else { return nil }
      self.init(reason, trying: nil, retry: nil)
    } else if let reason = machine.conditions.camera.reason {
      self.init(
        reason, trying: "The camera is looked for. The booth goes on as soon as it is there.",
        retry: .seconds(1))
    } else if let reason = machine.conditions.storage.reason {
      self.init(
        reason, trying: "The disk is looked at again and again.", retry: .seconds(5))
    } else {
      return nil
    }
  }

  private init(_ reason: PickerReason, trying: String?, retry: Duration?) {
    let kind =
      switch reason.code {
      case .cameraUnavailable, .captureFailed, .captureTimedOut, .frameUnavailable, .starting,
        .movieCutShort:
        "camera"
      case .storageFull, .storageUnavailable, .saveFailed: "storage"
      case .libraryUnavailable, .selectionLimitReached, .nothingSelected: "library"
      case .stationFault, .moviesUnavailable: "fault"
      }
    let problem = reason.problem
    self.init(
      kind: kind, code: reason.code.rawValue, guest: reason.guestMessage, trying: trying,
      retry: retry,
      operatorReason: problem?.message
        ?? reason.guestMessage,
      operatorFix: problem?.fix)
  }
}

extension KioskState.LastPhoto {
  /// Creates the entry of a photo from its path in the library.
  init?(path: String) {
    let parts = path.split(separator: "/").suffix(2).map(String.init)
    guard parts.count == 2 else { return nil }
    self.init(id: parts.joined(separator: "/"), name: parts[1], path: path)
  }
}
