import ImagePicker

/// One command of a guest, as the page sends it.
struct KioskCommand {
  var event: PickerMachine.Event
  var session: SessionID?

  static let names: Set<String> = [
    "shutter", "accept", "retake", "cancel", "extend", "begin", "select", "deselect", "editor",
    "edit", "back", "record", "stop", "frame",
  ]

  /// Parses the body of `POST /api/v1/NAME`.
  init(_ name: String, _ request: HTTPRequest) throws(KioskProblem) {
    var members = try request.members()
    session = try members.integer("session", in: 1...JSONMembers.largest, orNull: true).map {
      SessionID(rawValue: UInt64($0))
    }
    switch name {
    case "shutter": event = .shutter
    case "accept": event = .accept
    case "retake": event = .retake
    case "cancel": event = .cancel
    case "extend": event = .extend
    case "back": event = .back
    case "record": event = .startRecording
    case "stop": event = .stopRecording
    case "begin": event = .begin(try PickerMachine.Request(&members))
    case "select": event = .select(try members.item())
    case "deselect": event = .deselect(try members.item())
    case "editor": event = .openEditor(try members.item())
    case "frame": event = .chooseFrame(try FrameChoice(&members))
    case "edit": event = .edit(try PickerEdit(&members))
    default: throw KioskProblem(404, "there is nothing at this address")
    }
    try members.finish()
  }
}

extension JSONMembers {
  fileprivate mutating func item() throws(KioskProblem) -> ItemID {
    guard let item = try string("item", limit: 1024) else {
      throw KioskProblem(400, "'item' is missing")
    }
    return ItemID(rawValue: item)
  }
}

extension PickerMachine.Request {
  fileprivate init(_ members: inout JSONMembers) throws(KioskProblem) {
    let word = try members.string("source", limit: 40) ?? "camera"
    guard let source = ImagePickerController.SourceType(word: word) else {
      throw KioskProblem(
        400, "'source' must be \"camera\", \"photoLibrary\" or \"savedPhotosAlbum\"")
    }
    self.init(
      source: source, allowsEditing: try members.boolean("edit") ?? false,
      selectionLimit: try members.integer("limit", in: 0...1000) ?? 1,
      mediaTypes: try members.boolean("movies") ?? false ? [.image, .movie] : [.image])
  }
}

extension FrameChoice {
  fileprivate init(_ members: inout JSONMembers) throws(KioskProblem) {
    let step = try members.string("step", limit: 40)
    let frame = try members.integer("frame", in: 0...(ReviewFrames.limit - 1), orNull: true)
    switch (step, frame) {
    case ("next", nil): self = .next
    case ("previous", nil): self = .previous
    case (nil, let frame?): self = .index(frame)
    default:
      throw KioskProblem(
        400, "either 'frame' must be a frame's index, or 'step' \"next\" or \"previous\"")
    }
  }
}

extension PickerEdit {
  fileprivate init(_ members: inout JSONMembers) throws(KioskProblem) {
    var crop: PixelRect?
    if let value = members.value("crop") {
      guard case .object(let box) = value else {
        throw KioskProblem(400, "'crop' must be an object, or null")
      }
      var parts = JSONMembers(box)
      let range = 0...(1 << 20)
      guard let x = try parts.integer("x", in: range), let y = try parts.integer("y", in: range),
        let width = try parts.integer("width", in: 1...(1 << 20)),
        let height = try parts.integer("height", in: 1...(1 << 20))
      else { throw KioskProblem(400, "'crop' needs x, y, width and height") }
      try parts.finish()
      crop = PixelRect(x: x, y: y, width: width, height: height)
    }
    self.init(crop: crop, quarterTurns: try members.integer("quarterTurns", in: 0...3) ?? 0)
  }
}
