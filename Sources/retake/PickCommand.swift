import Glibc
import ImagePicker
import Media
import PhotoLibrary
import Platform
import Station

extension Command {
  static let pick = Command(
    name: "pick",
    summary: "One session of the picker: take a photo, or choose from those there are.",
    options: [
      Option(
        name: "--source", value: "SOURCE",
        summary: "camera, library (every album; the default) or saved (the station's own album)"),
      Option(
        name: "--media", value: "MEDIA",
        summary: "what is taken or shown: image (the default), movie, or both"),
      Option(
        name: "--seconds", value: "N",
        summary: "of the camera, with --media movie or both: the longest movie"),
      Option(
        name: "--limit", value: "N", summary: "choose at most that many; 0: no limit (default: 1)"),
      Option(name: "--edit", summary: "allow to crop and turn"),
      Option(
        name: "--frames", value: "N",
        summary: "of the camera: how many frames around the press can be chosen from, 1 to 5"),
      Option(
        name: "--select", value: "ID,...",
        summary:
          "choose these and finish: names as --list prints them, paths, or 'newest'; a comma in "
          + "a name is written \\u{2C}"),
      Option(
        name: "--crop", value: "X,Y,W,H",
        summary: "with --edit: cut that out, in pixels of the original, upright"),
      Option(name: "--turn", value: "N", summary: "with --edit: turn by N quarters clockwise"),
      Option(
        name: "--output", value: "DIRECTORY",
        summary:
          "where edited pictures of a library go; those of the camera are saved beside the photo"
      ),
      Option(name: "--list", summary: "print what could be chosen, newest first, and end"),
      Option(
        name: "--access", summary: "print what the station may use, with the fix where it may not"),
      .camera, .config, .json,
    ]
  ) { arguments in
    let plan = try PickPlan(arguments)
    // Log messages below errors are suppressed, since they would disturb the drawn lines.
    Log.setLevel(.error)
    if plan.isAccess {
      let report = AccessReport(plan.configuration)
      if plan.isJSON { try printJSON(report) } else { plan.lines(of: report).forEach(printLine) }
      return .done
    }
    let station = try plan.station()
    try await station.start()
    do {
      let status = try await run(plan, station)
      await station.end()
      return status
    } catch {
      await station.end()
      throw error
    }
  }

  private static func run(_ plan: PickPlan, _ station: Station) async throws -> ExitStatus {
    if plan.isList {
      try list(plan, station)
      return .done
    }
    if plan.request.source == .camera {
      try await station.waitUntilReady(timeout: .seconds(10))
      if plan.request.mediaTypes.contains(.movie) {
        try await station.waitUntilReadyForMovies(timeout: .seconds(10))
      }
    }
    let session = try await PickSession(plan, station)
    let result: PickerResult
    do {
      result = try await session.run()
    } catch {
      if plan.isJSON { try printJSON(PickOutput(error)) }
      throw StationError(error)
    }
    switch result {
    case .finished(let media):
      let output = try PickOutput(media, edits: plan.output, asRoot: plan.isOwner)
      if plan.isJSON { try printJSON(output) } else { output.lines.forEach(printLine) }
      return .done
    case .cancelled:
      if plan.isJSON { try printJSON(PickOutput.cancelled) } else { complain("nothing was picked") }
      return .cancelled
    }
  }

  private static func list(_ plan: PickPlan, _ station: Station) throws {
    guard let browser = station.browser else { return }
    if let problem = browser.problem(ofStationAlbum: plan.request.source == .savedPhotosAlbum) {
      let library = LibraryConfiguration(plan.configuration)
      guard problem.code == .gone, LibraryDesk.isYetToBeMade(library) else { throw problem }
      if plan.isJSON { try printJSON([PickRow]()) }
      return remark(nothingYet)
    }
    var rows: [PickRow] = []
    var cursor: BrowserCursor?
    var unshown = UnshownFiles()
    repeat {
      let page = browser.page(
        before: cursor, limit: 500, album: plan.album, kinds: plan.kinds)
      rows += page.items.map { PickRow($0, browser) }
      cursor = page.next
      unshown = page.unshown
    } while cursor != nil
    if let sentence = unshown.sentence { complain(sentence) }
    for silent in browser.silentDisks { complain(silent.operatorMessage) }
    let growing = browser.growing
    if growing > 0 {
      complain(
        "\(growing == 1 ? "1 file is" : "\(growing) files are") still being copied; list again in "
          + "ten seconds")
    }
    if plan.isJSON { return try printJSON(rows) }
    if rows.isEmpty { remark("there is nothing to choose from") }
    for row in rows { printLine(selectable(row.id)) }
  }
}

extension Command {
  // Returns an item in the form for `--select`, which separates items by commas.
  private static func selectable(_ id: String) -> String {
    id.plain.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }.joined(separator: "\\u{2C}")
  }
}

/// The options of `retake pick`.
struct PickPlan: Sendable {
  var request: PickRequest
  var configuration: Configuration
  var camera: String?
  /// The items to choose, or `nil` when the user chooses at the terminal.
  var selection: [String]?
  var edit: PickerEdit?
  var output: String?
  /// Whether root became the library's owner.
  var isOwner = false
  var isList: Bool
  var isAccess: Bool
  var isJSON: Bool
  /// Whether a user can press keys.
  var hasTerminal: Bool

  init(_ arguments: Arguments) throws {
    func refused(_ option: String, _ must: String) -> Arguments.UsageError {
      Arguments.UsageError(
        message: "'\(option)' must be \(must), and is '\(arguments.value(option) ?? "")'")
    }
    request = PickRequest()
    switch arguments.value("--source") {
    case nil, "library": request.source = .photoLibrary
    case "camera": request.source = .camera
    case "saved": request.source = .savedPhotosAlbum
    default: throw refused("--source", "camera, library or saved")
    }
    if let text = arguments.value("--limit") {
      guard let limit = Int(text), limit >= 0 else {
        throw refused("--limit", "a number, 0 for no limit")
      }
      request.selectionLimit = limit
    }
    switch arguments.value("--media") {
    case nil, "image": break
    case "movie":
      request.mediaTypes = [.movie]
      if request.source == .camera { request.cameraCaptureMode = .video }
    case "both": request.mediaTypes = [.image, .movie]
    default: throw refused("--media", "image, movie or both")
    }
    if let text = arguments.value("--seconds") {
      guard let seconds = Double(text), (0.5...600).contains(seconds) else {
        throw refused("--seconds", "a number of seconds from 0.5 to 600")
      }
      request.videoMaximumDuration = .milliseconds(Int64((seconds * 1000).rounded()))
    }
    request.allowsEditing = arguments.has("--edit")
    if let text = arguments.value("--frames") {
      guard let count = Int(text), (1...ReviewFrames.limit).contains(count) else {
        throw refused("--frames", "a number from 1 to \(ReviewFrames.limit)")
      }
      request.reviewFrames = count
    }
    camera = arguments.value(.camera)
    output = arguments.value("--output")
    isList = arguments.has("--list")
    isAccess = arguments.has("--access")
    isJSON = arguments.has(.json)
    hasTerminal = isatty(0) == 1 && (isatty(1) == 1 || isatty(2) == 1)
    selection = arguments.value("--select").map {
      $0.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
    }
    var crop: PixelRect?
    if let text = arguments.value("--crop") {
      crop = PixelRect(text)
      if crop == nil {
        throw refused("--crop", "left, top, width and height, such as 0,0,600,800")
      }
    }
    var turns = 0
    if let text = arguments.value("--turn") {
      guard let number = Int(text), (-3...3).contains(number) else {
        throw refused("--turn", "a number of quarters from -3 to 3")
      }
      turns = number
    }
    if crop != nil || turns != 0 { edit = PickerEdit(crop: crop, quarterTurns: turns) }
    if isAccess {
      configuration = try Configuration.load(from: arguments.value(.config))
    } else {
      // Edited pictures are written to the caller's directory.
      (configuration, isOwner) = try Configuration.loadAsOwner(
        from: arguments.value(.config), mayReturn: output != nil)
    }
    if isAccess, let camera { configuration.camera.device = camera }
    try check(arguments)
  }

  private func check(_ arguments: Arguments) throws(Arguments.UsageError) {
    func refuse(_ message: String) throws(Arguments.UsageError) -> Never {
      throw Arguments.UsageError(message: message)
    }
    let isCamera = request.source == .camera
    if edit != nil, !request.allowsEditing { try refuse("'--crop' and '--turn' need '--edit'") }
    if isCamera, selection != nil || isList {
      try refuse("'--select' and '--list' are for a library; the camera has its shutter")
    }
    if !isCamera || !request.mediaTypes.contains(.movie), arguments.value("--seconds") != nil {
      try refuse("'--seconds' needs '--source camera --media movie'")
    }
    if !isCamera, request.reviewFrames != nil { try refuse("'--frames' needs '--source camera'") }
    if !isCamera, !isAccess, camera != nil { try refuse("'--camera' needs '--source camera'") }
    guard !isCamera, !isList, !isAccess else { return }
    if let selection {
      if selection.isEmpty { try refuse("'--select' names nothing to choose") }
      if request.selectionLimit > 0, selection.count > request.selectionLimit {
        try refuse(
          "'--select' names \(selection.count) pictures, and '--limit' is \(request.selectionLimit)"
        )
      }
    } else if !hasTerminal {
      try refuse("there is no terminal to choose at; name the pictures with '--select'")
    }
    if request.allowsEditing, output == nil {
      try refuse("'--edit' needs '--output': a library's own pictures stay as they are")
    }
  }

  func lines(of report: AccessReport) -> [String] {
    [("camera", report.camera), ("library", report.library), ("buttons", report.buttons)].flatMap {
      ["\($0): \($1.status)"] + ($1.problem.map { ["  \($0)"] } ?? [])
    }
  }

  /// The kinds of photos that are shown.
  var kinds: Set<PhotoKind> {
    Set(request.mediaTypes.map { $0 == .movie ? PhotoKind.movie : .image })
  }

  /// The album that is shown, or `nil` for all albums.
  var album: String? { request.source == .savedPhotosAlbum ? configuration.album : nil }

  func station() throws(StationError) -> Station {
    var options = Station.Options()
    options.camera = camera
    options.usesSignals = true
    // The command can run beside a station that uses the socket and the buttons.
    options.usesSocket = false
    options.usesPanel = false
    options.isBrowsingOnly = request.source != .camera
    return try Station(configuration: configuration, options: options)
  }
}
