import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Movies
import Platform
import Testing

@testable import Station
@testable import StationTools

/// A simulated machine for the doctor, with files below a directory, programs' answers and a
/// status.
final class DoctorMachine {
  let root: String
  var unit: String?
  var kiosk: String?
  var status: Result<String, SystemError> = .failure(
    SystemError(errno: ENOENT, call: "connect", path: "/run/retake/socket"))
  var cameras: [CameraReport] = []
  var facts: FileSystemFacts? = FileSystemFacts(type: "ext4", free: 10_000_000_000)
  var isClockSet = true
  /// The access of the person who starts the program.
  var access = AccessReport()
  var movies = EncoderChoice.Report(
    .h264(encoder: "libx264", preset: "veryfast"), hardware: "no hardware encoder")

  init() throws {
    var template = Array("/var/tmp/retake-doctor-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(errno: errno, call: "mkdtemp") }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try write(
      "/etc/passwd", "root:x:0:0::/root:/bin/sh\nretake:x:990:990::/var/lib/retake:/bin/false\n")
    try write(
      "/etc/group",
      "root:x:0:\nvideo:x:44:retake\ngpio:x:997:retake\ninput:x:995:retake\nretake:x:990:\n")
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func write(_ path: String, _ text: String) throws {
    let url = URL(fileURLWithPath: root + path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func installService(state: String = "active", more: String = "") {
    unit = """
      LoadState=loaded
      ActiveState=\(state)
      StatusText=works
      NRestarts=0
      WatchdogUSec=10s
      User=retake
      UnitFileState=enabled
      \(more)
      """
  }

  func findings(file: String? = nil) throws -> [String: Finding] {
    let (unit, kiosk, status, cameras) = (unit, kiosk, status, cameras)
    let (facts, isClockSet, access, movies) = (facts, isClockSet, access, movies)
    var panel = PanelInventory(configuration: Configuration())
    (panel.chips, panel.devices, panel.problems, panel.configurationProblems) = ([], [], [], [])
    let inventory = panel
    var world = DoctorWorld(
      output: { words in
        if words.last == "retake-kiosk.service" { return kiosk }
        if words.contains("ReadWritePaths") { return "ReadWritePaths=-/srv -/data\n" }
        return words.first == "systemctl" ? unit : nil
      },
      status: { _ in status }, cameras: { _ in cameras }, panel: { _ in inventory },
      access: { _ in access }, movies: { _ in movies }, fileSystem: { _ in facts },
      isClockSet: { isClockSet })
    world.root = root
    let report = Doctor(file: file, world: world).examine()
    #expect(report.worst == report.findings.map(\.level).max())
    return Dictionary(report.findings.map { ($0.code, $0) }) { first, _ in first }
  }

  /// Returns the status answer of a running station.
  static func status(
    camera: String =
      #"{"state":"streaming","name":"Cam","words":"streaming","mode":"1280x720 MJPG"}"#,
    library: String = #"{"path":"/var/lib/retake/photos/booth","state":"ok","copies":[]}"#,
    panel: String = #"{"buttons":[],"lamps":[]}"#, service: String = "{}", more: String = ""
  ) -> Result<String, SystemError> {
    .success(
      #"{"state":"idle","camera":\#(camera),"library":\#(library),"panel":\#(panel),"#
        + #""service":\#(service)\#(more)}"#)
  }
}
