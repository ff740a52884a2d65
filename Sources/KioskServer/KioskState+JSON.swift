import ImagePicker
import Media
import Platform

/// A state as one reply contains it, with times relative to `now`.
struct StateDocument: Encodable {
  var state: KioskState
  var number: Int
  var instance: String
  var version: String
  var now: MonotonicTime
  /// Whether the client may see the operator's part.
  var showsOperator: Bool

  private enum Key: String, CodingKey {
    case number, instance, version, state, session, presentation, showsCameraControls, source
    case media, captureMode, allowsEditing, selectionLimit, remainingMs, totalMs, atEnd, candidate,
      isMovie, slow, edit,
      frames, item
    case selection, trouble, lastPhoto, camera, preview, controls, panel, settings, pinRequired
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let snapshot = state.snapshot
    let request = snapshot.request
    try container.encode(number, forKey: .number)
    try container.encode(instance, forKey: .instance)
    try container.encode(version, forKey: .version)
    try container.encode(snapshot.state.name.rawValue, forKey: .state)
    try container.encode(snapshot.session?.rawValue, forKey: .session)
    try container.encode(state.presentation, forKey: .presentation)
    try container.encode(state.showsCameraControls, forKey: .showsCameraControls)
    try container.encode(request?.source.word, forKey: .source)
    let media = request?.mediaTypes ?? [.image]
    let isVideo = request?.captureMode == .video
    let words = [
      media.contains(.image) ? "image" : nil, media.contains(.movie) || isVideo ? "movie" : nil,
    ]
    try container.encode(words.compactMap { $0 }, forKey: .media)
    try container.encode(isVideo ? "video" : "photo", forKey: .captureMode)
    try container.encode(request?.allowsEditing ?? false, forKey: .allowsEditing)
    try container.encode(request?.selectionLimit ?? 1, forKey: .selectionLimit)
    let deadline = snapshot.deadline.map { MonotonicTime(nanoseconds: $0.nanoseconds) }
    try container.encode(deadline.map { Self.count(from: now, to: $0) }, forKey: .remainingMs)
    try container.encode(
      deadline.map { Self.count(from: state.began, to: $0) }, forKey: .totalMs)
    try container.encode(atEnd, forKey: .atEnd)
    try container.encode(snapshot.state.candidate?.rawValue, forKey: .candidate)
    try container.encode(isMovie, forKey: .isMovie)
    try container.encode(isSlow, forKey: .slow)
    try container.encode(edit.map(EditDocument.init), forKey: .edit)
    try container.encode(snapshot.state.frames.map(FramesDocument.init), forKey: .frames)
    try container.encode(item, forKey: .item)
    try container.encode(selection, forKey: .selection)
    let trouble = state.trouble.map {
      TroubleDocument(trouble: $0, showsOperator: showsOperator)
    }
    try container.encode(trouble, forKey: .trouble)
    try container.encode(state.lastPhoto, forKey: .lastPhoto)
    try container.encode(state.camera, forKey: .camera)
    try container.encode(state.preview.map(PreviewDocument.init), forKey: .preview)
    try container.encode(state.controls, forKey: .controls)
    try container.encode(state.panel, forKey: .panel)
    try container.encode(state.settings, forKey: .settings)
    try container.encode(state.needsPIN, forKey: .pinRequired)
  }

  private static func count(from start: MonotonicTime, to end: MonotonicTime) -> Int {
    max(0, Int((end - start).nanoseconds / 1_000_000))
  }

  private var atEnd: KioskState.ReviewEnd? {
    if case .reviewing = state.snapshot.state { state.reviewEnd } else { nil }
  }

  private var isMovie: Bool {
    switch state.snapshot.state {
    case .recording: true
    case .reviewing(let review): review.isMovie
    default: false
    }
  }

  private var isSlow: Bool {
    if case .saving(_, let isSlow) = state.snapshot.state { isSlow } else { false }
  }

  private var edit: PickerEdit? {
    switch state.snapshot.state {
    case .reviewing(let review): review.edit
    case .editing(_, let edit, _): edit
    default: nil
    }
  }

  private var item: String? {
    if case .editing(let item, _, _) = state.snapshot.state { item.rawValue } else { nil }
  }

  private var selection: [String] {
    switch state.snapshot.state {
    case .browsing(let choices), .editing(_, _, let choices): choices.map(\.item.rawValue)
    default: []
    }
  }
}

private struct EditDocument: Encodable {
  let edit: PickerEdit

  private enum Key: String, CodingKey { case crop, quarterTurns }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(edit.crop, forKey: .crop)
    try container.encode(edit.quarterTurns, forKey: .quarterTurns)
  }
}

/// The frames that a review offers.
private struct FramesDocument: Encodable {
  let offsetsMs: [Double]
  let nearest: Int
  let chosen: Int
  let ready: Bool

  init(_ frames: ReviewFrames) {
    offsetsMs = frames.offsets.map { Double($0.nanoseconds / 1_000) / 1_000 }
    nearest = frames.nearest
    chosen = frames.chosen
    ready = frames.isReady
  }
}

private struct TroubleDocument: Encodable {
  let trouble: KioskState.Trouble
  let showsOperator: Bool

  private enum Key: String, CodingKey {
    case kind, code, guest, trying, retryMs
    case forOperator = "operator"
  }

  private struct Advice: Encodable {
    var reason: String
    var fix: String?
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(trouble.kind, forKey: .kind)
    try container.encode(trouble.code, forKey: .code)
    try container.encode(trouble.guest, forKey: .guest)
    try container.encode(trouble.trying, forKey: .trying)
    try container.encode(
      trouble.retry.map { Int($0.nanoseconds / 1_000_000) }, forKey: .retryMs)
    if showsOperator {
      try container.encode(
        Advice(reason: trouble.operatorReason, fix: trouble.operatorFix), forKey: .forOperator)
    }
  }
}

private struct PreviewDocument: Encodable {
  let turns: Int
  let mirrored: Bool
  let crop: PixelRect
  let frame: PixelSize

  init(_ preview: KioskState.Preview) {
    turns = preview.turns
    mirrored = preview.isMirrored
    crop = preview.crop
    frame = preview.frame
  }
}

extension ImagePickerController.SourceType {
  /// The page's name for the source.
  var word: String {
    switch self {
    case .camera: "camera"
    case .photoLibrary: "photoLibrary"
    case .savedPhotosAlbum: "savedPhotosAlbum"
    }
  }

  /// Returns the source with the page's name, or nil.
  init?(word: String) {
    guard let source = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = source
  }
}
