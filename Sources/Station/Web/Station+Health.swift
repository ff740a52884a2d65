import Capture
import FoundationEssentials
import KioskServer
import PhotoLibrary
import Platform
import StationConfiguration

extension Station {
  /// A check in the operator's view.
  struct Check: Encodable {
    var name: String
    var ok: Bool
    var detail: String
    var fix: String?
    /// The kind of fix, for a page that says it in the operator's language; nil for a rare one.
    var code: String?

    /// Whether the check failed and guests are not told about it.
    var isUnseen: Bool { !ok && !["camera", "library"].contains(name) }

    /// The part's name in the fault log, with the path when several checks have the same name.
    var source: String {
      ["copy", "disk"].contains(name) ? "\(name) \(detail.prefix { $0 != ":" })" : name
    }
  }

  /// A fault of the log, for the operator's view.
  private struct Fault: Encodable {
    var source: String
    var reason: String
    var fix: String?
    var code: String?
    var secondsAgo: Int
    var lasted: Int?

    init(_ fault: FaultLog.Fault, now: MonotonicTime) {
      (source, reason, fix, code) = (fault.source, fault.reason, fault.fix, fault.code)
      secondsAgo = Int((now - fault.began).milliseconds / 1000)
      lasted = fault.ended.map { Int(($0 - fault.began).milliseconds / 1000) }
    }
  }

  private struct Health: Encodable {
    var checks: [Check]
    var faults: [Fault]
    var album: String
    var canRestart: Bool
    var version: String
    var status: StationStatus
  }

  private struct Cameras: Encodable {
    var cameras: [CameraReport]
  }

  /// The checks, the faults and the status as JSON, for the operator's view.
  var healthJSON: [UInt8] {
    let (checks, now) = (checks, system.monotonicTime())
    let wrong = checks.filter(\.isUnseen)
    page.perform { $0.record(wrong) }
    // The page's own log records the faults later on the loop, so this copy records them now.
    var log = page.current.faults
    log.record(wrong, at: now)
    return Self.json(
      Health(
        checks: checks, faults: log.faults.map { Fault($0, now: now) }, album: configuration.album,
        canRestart: options.manager != nil, version: Retake.version, status: status))
  }

  /// The checks of all parts that can be faulty.
  var checks: [Check] {
    let status = status
    let storage = library.current.storage
    let absent = camera.replacedName
    var checks = [
      Check(
        name: "camera", ok: status.camera.state == "streaming" && absent == nil,
        detail: "\(status.camera.name): \(status.camera.words)"
          + (absent.map { ", in place of \($0)" } ?? ""),
        fix: status.access.camera.problem?.fix ?? camera.current.camera?.error?.operatorMessage
          ?? absent.map { "plug \($0) in, then: retake trigger reload" },
        code: cameraFixCode),
      Check(
        name: "library", ok: storage.reason == nil && storage.state != "low",
        detail: "\(status.library.path): \(storage.state)", fix: storage.reason?.problem?.fix,
        code: storageFixCode),
    ]
    for copy in status.library.copies {
      checks.append(
        Check(
          name: "copy", ok: copy.fix == nil, detail: "\(copy.path): \(copy.state)", fix: copy.fix,
          // Of the other states each has several fixes.
          code: ["full", "silent"].contains(copy.state) ? copy.state : nil))
    }
    // Silent disks of the library and of copies have a check already.
    var told = Set(status.library.copies.filter { $0.fix != nil }.map(\.path))
    if storage.state == "silent" { told.insert(configuration.libraryPath) }
    for disk in status.silentDisks where !told.contains(disk.path) {
      checks.append(
        Check(
          name: "disk", ok: false,
          detail: "\(disk.path): has not answered for \(disk.milliseconds / 1000) s",
          fix: LibraryError(MediumSilence(medium: disk.path)).fix, code: "silent"))
    }
    for button in status.panel.buttons {
      checks.append(
        Check(
          name: "button \(button.name)", ok: button.state == "armed",
          detail: "\(button.place): \(button.problem ?? button.state)"))
    }
    for lamp in status.panel.lamps where lamp.problem != nil {
      checks.append(Check(name: "lamp \(lamp.name)", ok: false, detail: lamp.problem ?? ""))
    }
    return checks
  }

  /// The kind of fix that the camera needs; nil: none, or a rare one.
  var cameraFixCode: String? {
    camera.current.camera?.error?.code.rawValue
  }

  /// The kind of fix that the library's disk needs; nil: none.
  var storageFixCode: String? {
    let storage = library.current.storage
    return storage.reason == nil ? nil : storage.state
  }

  /// The kind of fix of what guests are told; nil: none, or a rare one.
  func fixCode(of trouble: KioskState.Trouble?) -> String? {
    switch trouble?.kind {
    case "camera": cameraFixCode
    case "storage": storageFixCode
    default: nil
    }
  }

  /// The cameras of the machine.
  var camerasJSON: [UInt8] {
    Self.json(Cameras(cameras: CameraReport.all(configuration: configuration, system: system)))
  }

  private static func json(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { [UInt8]($0) } ?? Array("{}".utf8)
  }

  /// The station's counters, in the text format of Prometheus.
  var metricsText: String {
    let status = status
    var text = ""
    func add(_ name: String, _ kind: String, _ help: String, _ lines: [(String, Double)]) {
      text += "# HELP retake_\(name) \(help)\n# TYPE retake_\(name) \(kind)\n"
      for (labels, value) in lines {
        let number = value == value.rounded() ? "\(Int(value))" : "\(value)"
        text += "retake_\(name)\(labels) \(number)\n"
      }
    }
    func one(_ name: String, _ kind: String, _ help: String, _ value: Int) {
      add(name, kind, help, [("", Double(value))])
    }
    add("info", "gauge", "The program.", [("{version=\"\(Retake.version)\"}", 1)])
    one(
      "camera_streaming", "gauge", "Whether frames arrive.",
      status.camera.state == "streaming" ? 1 : 0)
    one("frames_published_total", "counter", "Usable frames.", status.camera.framesPublished)
    one("frames_damaged_total", "counter", "Damaged frames.", status.camera.framesDamaged)
    one(
      "frames_dropped_total", "counter", "Frames lost by the driver.", status.camera.framesDropped)
    one("frames_copied_total", "counter", "Frames copied.", status.camera.framesCopied)
    one("bytes_copied_total", "counter", "Bytes of those.", status.camera.bytesCopied)
    one("photos_total", "counter", "Photos saved since the start.", status.photos)
    one(
      "library_writable", "gauge", "Whether a photo has a place.",
      library.current.storage.reason == nil ? 1 : 0)
    one("session_active", "gauge", "Whether a guest is there.", status.session == nil ? 0 : 1)
    return text
  }
}
