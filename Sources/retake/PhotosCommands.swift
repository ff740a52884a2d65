import Glibc
import PhotoLibrary
import Platform
import Station
import StationTools
import Trigger

extension Command {
  /// The entry of the group in the list of commands.
  static let photos = Command(
    name: "photos", summary: "List, check, export and delete photos, and start a new album."
  ) { _ in .usage }

  static let photosCommands: [Command] = [
    photosList, photosShow, photosVerify, photosRebuild, photosExport, photosDelete, photosKeep,
    photosAlbum, photosStats,
  ]

  private static let album = Option(
    name: "--album", value: "NAME", summary: "an album (default: the one that photos go to now)")

  private static let photosList = Command(
    name: "photos list", summary: "List an album's photos, newest first.",
    options: [
      album, Option(name: "--limit", value: "N", summary: "at most that many"), .json, .config,
    ]
  ) { arguments in
    if try saysNothingYet(arguments, [PhotoRow]()) { return .done }
    let (desk, album) = try open(arguments)
    var limit = Int.max
    if let text = arguments.value("--limit") {
      guard let number = Int(text), number > 0 else {
        throw Arguments.UsageError(
          message: "'--limit' must be a whole number from 1 up, and is '\(text)'")
      }
      limit = number
    }
    var rows: [PhotoRow] = []
    var isEmpty = true
    let asJSON = arguments.has(.json)
    try desk.forEach(album: album, limit: limit) { entry throws(LibraryError) in
      isEmpty = false
      let row = PhotoRow(entry, desk.titles)
      if asJSON { rows.append(row) } else { printLine(row.line) }
    }
    if asJSON { try printJSON(rows) }
    if isEmpty { remark("there are no photos in the album '\(desk.titles.title(album))'") }
    return .done
  }

  private static let photosShow = Command(
    name: "photos show", summary: "Show what is known of one photo.",
    operands: [("PHOTO", "its number, or its file's name")], options: [album, .json, .config]
  ) { arguments in
    let (desk, album) = try open(arguments)
    let entry = try desk.find(arguments.operands[0], album: album)
    var row = PhotoRow(entry, desk.titles)
    row.copies = try desk.catalog.copies(of: entry)
    row.copyFiles = try desk.copyFolders(of: entry).map { "\($0)/\(row.name)" }
    desk.silence.forEach { complain($0.operatorMessage) }
    if arguments.has(.json) {
      try printJSON(row)
    } else {
      row.details.forEach(printLine)
    }
    return .done
  }

  private static let photosVerify = Command(
    name: "photos verify", summary: "Read every photo again and compare it with what was saved.",
    options: [album, .json, .config],
    exits: [
      (0, "all are as they were saved"),
      (1, "some of them or of their copies are not, or are missing"),
    ]
  ) { arguments in
    if try saysNothingYet(arguments, [LibraryDesk.Finding]()) { return .done }
    let (desk, album) = try open(arguments)
    var findings: [LibraryDesk.Finding] = []
    var count = 0
    for name in arguments.value(Command.album) == nil ? try desk.albums() : [album] {
      var bar = ProgressBar("verifying \(desk.titles.title(name))")
      findings += try desk.verify(album: name) { bar.draw($0, of: $1) }
      bar.clear()
      count += try desk.catalog.size(album: name).photos
    }
    if arguments.has(.json) {
      try printJSON(findings)
    } else {
      for finding in findings { printLine(finding.words) }
      if findings.isEmpty, count > 0 {
        printLine(
          count == 1 ? "1 photo is as it was saved" : "\(count) photos are as they were saved")
      }
    }
    if findings.isEmpty, count == 0 { remark("there are no photos to verify") }
    desk.silence.forEach { complain($0.operatorMessage) }
    let copies = findings.count(where: { $0.isCopy && $0.problem != "silent" })
    let photos = findings.count(where: { !$0.isCopy })
    if photos > 0 { complain("\(photos) of \(photosText(count)) not as saved") }
    if copies > 0 {
      complain(
        copies == 1 ? "1 copy is not as it was made" : "\(copies) copies are not as they were made")
    }
    return findings.isEmpty ? .done : .cancelled
  }

  private static let photosRebuild = Command(
    name: "photos rebuild", summary: "Make the catalog again, from the files.",
    options: [.json, .config]
  ) { arguments in
    if try saysNothingYet(arguments, [PhotoRow]()) { return .done }
    let (desk, _) = try open(arguments)
    struct Answer: Encodable {
      var album: String
      var photos: Int
    }
    var answers: [Answer] = []
    for name in try desk.albums() {
      var bar = ProgressBar("reading \(desk.titles.title(name))")
      let changes = try desk.rebuild(album: name) { bar.draw($0, of: $1) }
      bar.clear()
      let title = desk.titles.title(name)
      answers.append(Answer(album: title, photos: changes.photos))
      if !arguments.has(.json) { printLine("\(title): \(photosText(changes.photos))") }
    }
    if arguments.has(.json) { try printJSON(answers) }
    if answers.isEmpty { remark("there are no albums to read") }
    return .done
  }

  private static let photosExport = Command(
    name: "photos export", summary: "Copy an album to a directory, or into a zip archive.",
    operands: [("DESTINATION", "a directory, or a new file whose name ends with .zip")],
    options: [album, .json, .config]
  ) { arguments in
    let path = arguments.operands[0]
    if let ending = archives.first(where: { path.lowercased().hasSuffix($0) }) {
      throw Arguments.UsageError(
        message: "'\(path)' ends with \(ending), and archives are zip; name a directory, or a file "
          + "that ends with .zip")
    }
    // The photos belong to the library's owner, and the destination belongs to the caller.
    let (configuration, isOwner) = try Configuration.loadAsOwner(
      from: arguments.value(.config), mayReturn: true)
    let (desk, album) = try open(configuration, arguments)
    var bar = ProgressBar("exporting \(desk.titles.title(album))")
    let export =
      path.lowercased().hasSuffix(".zip")
      ? try desk.export(album: album, toZip: path, asRoot: isOwner) { bar.draw($0, of: $1) }
      : try desk.export(album: album, toDirectory: path, asRoot: isOwner) { bar.draw($0, of: $1) }
    bar.clear()
    if arguments.has(.json) {
      try printJSON(export)
    } else {
      let before = export.present > 0 ? ", \(export.present) were there before" : ""
      if export.written + export.present == 0, export.refused.isEmpty {
        remark("there are no photos in the album '\(desk.titles.title(album))'")
      } else {
        printLine("\(photosText(export.written)) in \(path)\(before)")
      }
    }
    export.refused.forEach(complain)
    return export.refused.isEmpty ? .done : .cancelled
  }

  // A directory with such a name would be mistaken for an archive.
  private static let archives = [
    ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2", ".7z", ".rar", ".gz", ".xz",
  ]

  private static let photosDelete = Command(
    name: "photos delete", summary: "Delete photos with everything that belongs to them.",
    operands: [("PHOTO", "its number, or its file's name")],
    extras: ("PHOTO", "further ones", 10_000), options: [album, .config]
  ) { arguments in
    let (desk, album) = try open(arguments)
    // All photos are looked up before one is deleted, so that a mistyped number deletes none.
    let entries = try arguments.operands.map { try desk.find($0, album: album) }
    for entry in entries {
      try desk.delete(entry)
      printLine("deleted \(entry.photo.path)")
    }
    try desk.deleteCopies()
    return .done
  }

  private static let photosKeep = Command(
    name: "photos keep", summary: "Mark photos so that none is ever deleted for its age.",
    operands: [("PHOTO", "its number, or its file's name")],
    extras: ("PHOTO", "further ones", 10_000),
    options: [album, Option(name: "--off", summary: "take the mark away"), .config]
  ) { arguments in
    let (desk, album) = try open(arguments)
    for entry in try arguments.operands.map({ try desk.find($0, album: album) }) {
      try desk.keep(entry, !arguments.has("--off"))
      let name = PhotoRow(entry, desk.titles).name
      printLine(arguments.has("--off") ? "\(name) is no longer kept" : "\(name) is kept")
    }
    return .done
  }

  private static let photosAlbum = Command(
    name: "photos album", summary: "Start a new album for an event, or list the albums.",
    extras: ("NAME", "photos go to this album from now on", 1), options: [.json, .config]
  ) { arguments in
    if arguments.operands.isEmpty, try saysNothingYet(arguments, [PhotoRow]()) { return .done }
    let (configuration, _) = try Configuration.loadAsOwner(from: arguments.value(.config))
    let (desk, album) = try open(configuration, arguments, makes: !arguments.operands.isEmpty)
    guard let name = arguments.operands.first else {
      try listAlbums(desk, current: album, asJSON: arguments.has(.json))
      return .done
    }
    try desk.start(
      album: name, configured: configuration.configuredAlbum ?? configuration.album)
    printLine("photos go to the album \(name) in \(configuration.libraryPath)")
    guard desk.hasStation else { return .done }
    let client = TriggerClient(path: configuration.socketPath)
    guard let reply = try? client.send(.reload), reply.isAccepted else {
      complain("the running station could not be told; 'retake trigger reload' does it")
      return .cancelled
    }
    return .done
  }

  private static func listAlbums(_ desk: LibraryDesk, current: String, asJSON: Bool) throws {
    struct Row: Encodable {
      var album: String
      var photos: Int
      var bytes: Int
      var isCurrent: Bool
    }
    let rows = try desk.albums().map { name in
      let size = try desk.catalog.size(album: name)
      return Row(
        album: desk.titles.title(name), photos: size.photos, bytes: size.bytes,
        isCurrent: name.hasBytes(of: current))
    }
    if asJSON { return try printJSON(rows) }
    if rows.isEmpty { remark("there are no albums") }
    for row in rows {
      printLine(
        "\(row.isCurrent ? "*" : " ") \(row.album): \(photosText(row.photos)), \(sizeText(row.bytes))"
      )
    }
  }

  private static let photosStats = Command(
    name: "photos stats", summary: "Count sessions, retakes, timeouts and failures, day by day.",
    options: [.json, .config]
  ) { arguments in
    if try saysNothingYet(arguments, SessionStatistics()) { return .done }
    let (desk, _) = try open(arguments)
    let statistics = try desk.statistics()
    if arguments.has(.json) {
      try printJSON(statistics)
      return .done
    }
    guard !statistics.days.isEmpty else {
      remark("there are no sessions yet")
      return .done
    }
    printLine(
      "day         sessions  saved (timeout)  retakes  cancelled (timeout)  failed  refused  cut off"
    )
    for day in statistics.days + (statistics.days.count == 1 ? [] : [statistics.total]) {
      func field(_ value: Int, _ width: Int) -> String { padded("\(value)", width) }
      printLine(
        day.day + String(repeating: " ", count: max(0, 10 - day.day.count))
          + field(day.sessions, 10) + field(day.saved, 7) + field(day.savedByTimeout, 10)
          + field(day.retakes, 9) + field(day.cancelled, 11) + field(day.cancelledByTimeout, 10)
          + field(day.failed, 8) + field(day.refused, 9) + field(day.interrupted, 9))
      for (reason, count) in day.reasons.sorted(by: { $0.key < $1.key }) where day.day != "total" {
        printLine("            \(reason): \(count)")
      }
    }
    return .done
  }

  /// Prints that there are no photos, or `nothing` as JSON, where the first photo is yet to make the library.
  private static func saysNothingYet(
    _ arguments: Arguments, _ nothing: some Encodable
  ) throws -> Bool {
    let (configuration, _) = try Configuration.loadAsOwner(from: arguments.value(.config))
    guard LibraryDesk.isYetToBeMade(LibraryConfiguration(configuration)) else { return false }
    if arguments.has(.json) { try printJSON(nothing) }
    remark(nothingYet)
    return true
  }

  private static func open(_ arguments: Arguments) throws -> (LibraryDesk, String) {
    let (configuration, _) = try Configuration.loadAsOwner(from: arguments.value(.config))
    return try open(configuration, arguments)
  }

  private static func open(
    _ configuration: Configuration, _ arguments: Arguments, makes: Bool = false
  ) throws -> (LibraryDesk, String) {
    let word = arguments.value(Command.album) ?? configuration.album
    let place = LibraryConfiguration(configuration)
    if makes { _ = try? PhotoLibrary(configuration: place) }
    let desk = try LibraryDesk(
      configuration: place, media: DiskWorkers(patience: configuration.diskPatience))
    guard let album = desk.titles.directory(word, among: try desk.albums()) else {
      throw LibraryError(
        .notFound,
        "there is no album '\(word)' in \(configuration.libraryPath)",
        fix: "'retake photos album' lists those there are")
    }
    return (desk, album)
  }
}
