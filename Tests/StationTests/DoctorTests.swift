import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Movies
import Platform
import Testing

@testable import Station

/// The doctor in a world that a test wrote: files below a directory, programs' answers, a status.
@Suite struct DoctorTests {
  /// Another machine.
  private final class Machine {
    let root: String
    var unit: String?
    var kiosk: String?
    var status: Result<String, SystemError> = .failure(
      SystemError(errno: ENOENT, call: "connect", path: "/run/retake/socket"))
    var cameras: [CameraReport] = []
    var facts: FileSystemFacts? = FileSystemFacts(type: "ext4", free: 10_000_000_000)
    var isClockSet = true
    /// What a person who starts the program may use.
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
  }

  private func status(
    camera: String =
      #"{"state":"streaming","name":"Cam","words":"streaming","mode":"1280x720 MJPG"}"#,
    library: String = #"{"path":"/var/lib/retake/photos/booth","state":"ok","copies":[]}"#,
    panel: String = #"{"buttons":[],"lamps":[]}"#, service: String = "{}", more: String = ""
  ) -> Result<String, SystemError> {
    .success(
      #"{"state":"idle","camera":\#(camera),"library":\#(library),"panel":\#(panel),"#
        + #""service":\#(service)\#(more)}"#)
  }

  @Test func everyCodeIsUniqueAndSaysSomething() {
    let codes = DoctorMessage.all.map(\.code)
    #expect(Set(codes).count == codes.count)
    for message in DoctorMessage.all {
      #expect(!message.text.isEmpty, "\(message.code)")
      #expect((message.level == .ok) == message.fix.isEmpty, "\(message.code)")
    }
  }

  @Test func aDiskThatHangsIsNamed() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(
      more: #","silentDisks":[{"path":"/media/stick","milliseconds":21500,"threads":1}]"#)
    try machine.write("/var/lib/retake/photos/.keep", "")
    let finding = try #require(try machine.findings()["disk-silent"])
    #expect(finding.level == .problem)
    #expect(finding.text == "/media/stick has not answered for 21 s")
  }

  @Test func aBoothInOrderIsAllOk() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status()
    try machine.write("/var/lib/retake/photos/.keep", "")
    chmod(machine.root + "/var/lib/retake/photos", 0o777)
    let findings = try machine.findings()
    #expect(findings.values.filter { $0.level != .ok }.map(\.code) == [])
    #expect(findings["camera"]?.text == "Cam streams 1280x720 MJPG")
    #expect(findings["groups"]?.text == "retake is in video, gpio, input")
    #expect(findings["library"]?.text.contains("10.0 GB free") == true)
  }

  @Test(arguments: [
    (#"{"state":"absent","words":"not plugged in","name":"Cam"}"#, "camera-none", "plug one in"),
    (
      #"{"state":"denied","words":"no permission","name":"Cam"}"#, "camera-denied",
      "sudo chmod 660 /dev/video"
    ),
    (
      #"{"state":"busy","words":"used by cheese (812)","name":"Cam"}"#, "camera-busy",
      "end cheese (812)"
    ),
    (
      #"{"state":"stalled","words":"stalled, being restarted","name":"Cam"}"#, "camera-silent",
      "cable"
    ),
    (
      #"{"state":"failed","words":"failed: no mode","name":"Cam"}"#, "camera-unusable",
      "retake cameras"
    ),
    (
      #"{"state":"streaming","name":"Cam","mode":"1280x720 MJPG at 30 fps","observedRate":2.1,"lacksLight":true}"#,
      "camera-dark", "more light"
    ),
    (
      #"{"state":"streaming","name":"Cam","framesPublished":100,"framesDamaged":50}"#,
      "camera-damaged",
      "cable"
    ),
  ])
  func theServicesOwnViewOfItsCameraIsTold(camera: String, code: String, fix: String) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(camera: camera)
    let finding = try #require(try machine.findings()[code])
    #expect(finding.fix?.contains(fix) == true, "\(finding)")
    #expect(!finding.text.contains("{"), "\(finding)")
  }

  @Test("what movies are coded with is told, and how to get an encoder where there is none")
  func movies() throws {
    let machine = try Machine()
    #expect(
      try machine.findings()["movies"]?.text
        == "movies are h264 (libx264, veryfast); no hardware encoder")
    machine.movies = EncoderChoice.Report(.copy, hardware: "libavcodec has no h264_v4l2m2m")
    #expect(try machine.findings()["movies"]?.text.contains("browsers do not play") == true)
    machine.movies = EncoderChoice.Report(
      .copy, problem: "libavcodec is not there", hardware: "libavcodec is not installed")
    let copied = try #require(try machine.findings()["movies-copied"])
    #expect(copied.text.contains("libavcodec is not there"))
    #expect(copied.fix == "sudo apt install \(EncoderChoice.package)")
    machine.movies.coding = nil
    #expect(try machine.findings()["movies-none"]?.level == .warning)
    // The service's own word counts more: it may be refused a device that this user is not.
    machine.installService()
    machine.status = status(more: #","movies":{"codec":"h264 (h264_v4l2m2m)"}"#)
    #expect(try machine.findings()["movies"]?.text.contains("h264_v4l2m2m") == true)
  }

  /// What the station says of a camera that it may not use, of its library and of its buttons.
  private static let problem = AccessProblem(
    who: "retake", what: "the thing", why: "the door is shut", fix: "open the door")

  @Test(arguments: [
    ("camera-denied", ImagePickerController.Resource.camera), ("library-denied", .library),
    ("buttons-denied", .buttons),
  ])
  func aRefusalIsToldInTheStationsOwnWords(
    code: String, resource: ImagePickerController.Resource
  ) throws {
    // As the running service says it, and as a person's station would.
    for isRunning in [true, false] {
      let machine = try Machine()
      var report = AccessReport()
      report[resource] = Access(.denied, DoctorTests.problem)
      if isRunning {
        machine.installService()
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        machine.status = status(
          camera: #"{"state":"denied","words":"no permission","name":"Cam"}"#,
          more: #","access":\#(json)"#)
      } else {
        machine.access = report
      }
      let finding = try #require(try machine.findings()[code])
      #expect(finding.level == .problem)
      #expect(finding.text == "retake cannot use the thing: the door is shut")
      #expect("\(finding.text). Fix: \(finding.fix ?? "")" == "\(DoctorTests.problem)")
    }
  }

  @Test func aLibraryOfSomebodyElseIsToldBeforeTheServiceRuns() throws {
    let machine = try Machine()
    machine.installService(state: "failed")
    try machine.write("/var/lib/retake/photos/.keep", "")
    chmod(machine.root + "/var/lib/retake/photos", 0o755)
    let finding = try #require(try machine.findings()["library-denied"])
    let path = "/var/lib/retake/photos"
    #expect(finding.text.hasPrefix("retake cannot use the library \(path): permission is denied"))
    #expect(finding.text.contains("\(path) belongs to "))
    #expect(finding.text.contains(" with mode 0755, and retake may not read and write it"))
    #expect(finding.fix == "sudo chown -R retake: \(path)")
  }

  @Test func aCameraThatIsSwitchedOffIsNoTrouble() throws {
    let machine = try Machine()
    try machine.write("/etc/retake/retake.toml", "[camera]\ndevice = \"off\"\n")
    machine.access.camera = Access(.restricted, DoctorTests.problem)
    #expect(try machine.findings()["camera-denied"] == nil)
  }

  @Test func aWrongConfigurationIsToldWithItsLine() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(more: #","configurationProblem":"/etc/retake/retake.toml:1:1: wrong""#)
    try machine.write("/etc/retake/retake.toml", "[countdown]\nsecnds = 3\n")
    let findings = try machine.findings()
    #expect(findings["configuration-wrong"]?.text.contains("retake.toml:2") == true)
    #expect(findings["configuration-unused"]?.level == .problem)
  }

  @Test(
    "a file that the service's user may not read is told, with what keeps it out",
    arguments: [
      (0o755, 0o600, "sudo chgrp retake F && sudo chmod 640 F"), (0o700, 0o644, "sudo chmod o+x D"),
      (0o755, 0o644, nil),
    ])
  func aFileThatTheServiceCannotReadIsTold(folder: UInt32, mode: UInt32, fix: String?) throws {
    let machine = try Machine()
    machine.installService()
    let file = "/etc/retake/retake.toml"
    try machine.write(file, "[countdown]\nseconds = 5\n")
    chmod(machine.root + file, mode)
    chmod(machine.root + "/etc/retake", folder)
    let findings = try machine.findings()
    let wanted = fix.map {
      replaced(replaced($0, "F", by: file), "D", by: "/etc/retake")
        + "; then: sudo systemctl reload retake"
    }
    #expect(findings["configuration-shut"]?.fix == wanted)
    #expect((findings["configuration"] == nil) == (fix != nil))
    // For a person's station it is the person that counts.
    machine.unit = nil
    #expect(try machine.findings()["configuration-shut"] == nil)
  }

  @Test func whatIsNoFileIsToldAsTheStationWouldTellIt() throws {
    let machine = try Machine()
    try machine.write("/etc/retake/retake.toml/inside", "")
    #expect(
      try machine.findings()["configuration-wrong"]?.text
        == "/etc/retake/retake.toml is a directory, and must be a plain file")
  }

  @Test("a library below a home is told as what it is, whatever its permissions")
  func aLibraryBelowAHomeIsHidden() throws {
    let machine = try Machine()
    machine.installService()
    var report = AccessReport()
    report.library = Access(.denied, DoctorTests.problem)
    let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    machine.status = status(
      library: #"{"path":"/home/pi/photos/booth","state":"gone"}"#, more: #","access":\#(json)"#)
    try machine.write("/etc/retake/retake.toml", "[library]\npath = \"/home/pi/photos\"\n")
    let findings = try machine.findings()
    #expect(findings["library-denied"] == nil)
    #expect(findings["library-sandbox"]?.fix?.contains("ProtectHome=no") == true)
  }

  @Test("a page for others without a token is told")
  func aPageForOthersNeedsAToken() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(more: #","page":{"address":"192.168.0.2:8080"}"#)
    #expect(try machine.findings()["page-open"]?.level == .problem)
    try machine.write("/etc/retake/retake.toml", "[web]\ntoken = \"0123456789abcdef\"\n")
    #expect(try machine.findings()["page-open"] == nil)
  }

  @Test("who is in the camera's group already is told of the mode", arguments: [true, false])
  func aCameraWithoutItsMode(isMember: Bool) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(camera: #"{"state":"denied","words":"no permission","name":"Cam"}"#)
    if !isMember { try machine.write("/etc/group", "video:x:44:\nretake:x:990:\n") }
    let fix = try #require(try machine.findings()["camera-denied"]?.fix)
    #expect(fix.hasPrefix(isMember ? "sudo chmod 660 /dev/video" : "sudo usermod -aG video"))
  }

  @Test(arguments: [
    (0o644, "retake", #""sudo chgrp retake F && sudo chmod 640 F""#), (0o640, "retake", nil),
    (0o604, "root", #""sudo chmod 600 F""#),
  ])
  func secretsThatEverybodyCanReadAreTold(mode: UInt32, user: String, fix: String?) throws {
    let machine = try Machine()
    machine.installService(more: "User=\(user)")
    let file = "/etc/retake/retake.toml"
    try machine.write(file, "[web]\ntoken = \"0123456789abcdef\"\npin = \"2468\"\n")
    chmod(machine.root + file, mode)
    let finding = try machine.findings()["configuration-open"]
    #expect(finding?.fix.map { "\"\(replaced($0, file, by: "F"))\"" } == fix)
    #expect(finding?.text.hasPrefix("'web.token' and 'web.pin' in \(file) can be read") != false)
    // Without a secret there is none to tell of.
    try machine.write(file, "[web]\nsounds = true\n")
    chmod(machine.root + file, 0o644)
    #expect(try machine.findings()["configuration-open"] == nil)
  }

  @Test(arguments: [
    ("127.0.0.1:9000", "ListenStream=127.0.0.1:9000'; then:"),
    ("192.168.0.2:8080", "'IPAddressAllow=any'"), ("", "mask --now retake.socket"),
  ])
  func anAddressThatTheSocketUnitKeepsFromUseIsTold(wanted: String, fix: String) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(
      more: #","page":{"address":"127.0.0.1:8080","ignored":"\#(wanted)"}"#)
    let finding = try #require(try machine.findings()["page-socket"])
    #expect(finding.level == .warning && finding.text.contains("listens at 127.0.0.1:8080"))
    #expect(finding.fix?.contains(fix) == true, "\(finding)")
    machine.status = status(more: #","page":{"address":"127.0.0.1:8080"}"#)
    #expect(try machine.findings()["page-socket"] == nil)
  }

  @Test func aServiceThatIsDownOrSilentOrUnwatchedIsTold() throws {
    let machine = try Machine()
    machine.installService(state: "failed")
    #expect(try machine.findings()["service-down"]?.text == "retake.service is failed")
    machine.installService(more: "NRestarts=3\nWatchdogUSec=infinity\nUnitFileState=disabled")
    let findings = try machine.findings()
    #expect(findings["service-silent"]?.level == .problem)
    #expect(findings["service-restarted"]?.text.contains("3 times") == true)
    #expect(findings["watchdog-off"] != nil && findings["service-disabled"] != nil)
    machine.status = .failure(
      SystemError(errno: EACCES, call: "connect", path: "/run/retake/socket"))
    #expect(try machine.findings()["service-denied"]?.fix == "sudo retake doctor")
    machine.status = status(service: #"{"silentMilliseconds":{"saver":45000,"capture":10}}"#)
    #expect(try machine.findings()["watchdog-silent"]?.text.contains("saver") == true)
  }

  @Test func missingGroupsAreNamedWithTheCommand() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status()
    try machine.write("/etc/group", "video:x:44:\ngpio:x:997:\ninput:x:995:retake\nretake:x:990:\n")
    let finding = try machine.findings()["groups-missing"]
    #expect(finding?.text == "retake is not in video,gpio")
    #expect(finding?.fix == "sudo usermod -aG video,gpio retake; sudo systemctl restart retake")
  }

  @Test func buttonsAreToldAsTheServiceSeesThem() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(
      panel:
        #"{"buttons":[{"name":"a","place":"GPIO17","state":"armed"},{"name":"b","place":"GPIO5","state":"stuck"},{"name":"c","place":"GPIO6","state":"waiting","problem":"used by x"}],"lamps":[{"name":"l","place":"GPIO9","problem":"denied"}]}"#
    )
    let findings = try machine.findings()
    #expect(findings["buttons"]?.text == "a at GPIO17: ready")
    #expect(findings["buttons-stuck"]?.text.contains("b at GPIO5") == true)
    #expect(findings["buttons-waiting"]?.text.contains("used by x") == true)
    #expect(findings["lamps-broken"]?.text.contains("GPIO9") == true)
  }

  @Test(arguments: [
    ("/data/photos", nil), ("/home/pi/photos", "library-sandbox"), ("/srv/x", nil),
    ("/srvx", "library-sandbox"),
  ])
  func aLibraryThatTheSandboxHidesIsTold(path: String, code: String?) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(library: #"{"path":"\#(path)/booth","state":"ok"}"#)
    try machine.write("/etc/retake/retake.toml", "[library]\npath = \"\(path)\"\n")
    #expect(try machine.findings()["library-sandbox"]?.code == code)
  }

  @Test func theLibrarysStateAndItsDiskAreTold() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = status(library: #"{"path":"/x","state":"read-only","fix":"remount it"}"#)
    #expect(try machine.findings()["library-broken"]?.fix == "remount it")
    machine.status = status(library: #"{"path":"/x","state":"gone"}"#)
    #expect(try machine.findings()["library-none"] != nil)
    machine.status = status()
    try machine.write("/var/lib/retake/photos/.keep", "")
    machine.facts = FileSystemFacts(type: "tmpfs", free: 10_000_000_000, isVolatile: true)
    #expect(try machine.findings()["library-volatile"]?.level == .problem)
    machine.facts = FileSystemFacts(type: "vfat", free: 250_000_000)
    let findings = try machine.findings()
    #expect(findings["library-fat"] != nil && findings["library-low"] != nil)
  }

  @Test(arguments: [
    ("0x0", "power"), ("0x50005", "power-low"), ("0x50000", "power-was-low"), ("0x80000", "power"),
    ("0x8", "power-was-low"), ("rubbish", "power-unknown"),
  ])
  func theFirmwaresWordOnPowerIsRead(text: String, code: String) throws {
    let machine = try Machine()
    try machine.write("/sys/devices/platform/soc/soc:firmware/get_throttled", "\(text)\n")
    #expect(try machine.findings()[code] != nil)
  }

  @Test(arguments: [("1", "power-low"), ("0", "power")])
  func aVoltageSensorIsReadToo(alarm: String, code: String) throws {
    let machine = try Machine()
    try machine.write("/sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    try machine.write("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    try machine.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "\(alarm)\n")
    #expect(try machine.findings()[code] != nil)
  }

  @Test(arguments: [
    ("47774", "temperature", "48 °C"), ("81000", "temperature-high", "81 °C"),
    ("-40000", "temperature-unknown", "does not tell"),
  ])
  func theHottestSensorCounts(value: String, code: String, words: String) throws {
    let machine = try Machine()
    try machine.write("/sys/class/thermal/thermal_zone0/temp", "1000\n")
    try machine.write("/sys/class/thermal/thermal_zone1/temp", "\(value)\n")
    if code == "temperature-unknown" {
      try machine.write("/sys/class/thermal/thermal_zone0/temp", "0\n")
    }
    #expect(try machine.findings()[code]?.text.contains(words) == true)
  }

  @Test func theClockAndThePageAreTold() throws {
    let machine = try Machine()
    machine.isClockSet = false
    machine.installService()
    machine.kiosk = "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\n"
    machine.status = status(service: #"{"pageSilentMilliseconds":2000}"#)
    var findings = try machine.findings()
    #expect(findings["clock-unset"] != nil && findings["page"] != nil)
    machine.status = status(service: #"{"pageSilentMilliseconds":90000}"#)
    findings = try machine.findings()
    #expect(findings["page-silent"]?.text.contains("90 s") == true)
    machine.kiosk = "LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\n"
    machine.status = status()
    #expect(try machine.findings()["page-kiosk-down"]?.text.contains("failed") == true)
    machine.kiosk = nil
    #expect(try machine.findings()["page-none"] != nil)
  }

  @Test func withoutServiceItSaysWhatAPersonsStationWouldMeet() throws {
    let machine = try Machine()
    let findings = try machine.findings()
    #expect(findings["service-none"]?.level == .ok)
    #expect(findings["camera-none"]?.level == .problem)
  }

  @Test(arguments: [
    "", "{}", "null", "rubbish", "[]", #"{"camera":{},"library":{},"panel":{}}"#,
    #"{"panel":{"buttons":[{}],"lamps":[{}]},"service":{},"access":{"camera":{}}}"#,
    #"{"camera":{"framesPublished":"many"}}"#,
  ])
  func aStatusOfAnotherVersionIsNoTrouble(_ text: String) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = .success(text)
    let findings = try machine.findings()
    // The station answers, so that it is neither silent nor blamed for what it does not say.
    #expect(findings["service"]?.level == .ok)
    #expect(findings["service-silent"] == nil)
    let blamed = findings.filter { $0.value.level == .problem }.keys.sorted()
    // This machine has neither a camera nor a library, whatever the station says of its own.
    #expect(blamed == ["camera-none", "library-none"])
  }

  @Test(arguments: [
    "while :; do echo x; done", "exec 1>&- 2>&-; exec sleep 1000", "exec sleep 1000",
  ])
  func aProgramThatGoesOnIsEnded(_ script: String) {
    let output = ProgramOutput.of(["sh", "-c", script], patience: .milliseconds(30))
    #expect(output == nil)
  }

  @Test func aProgramsOutputIsRead() {
    #expect(ProgramOutput.of(["echo", "one"]) == "one\n")
    #expect(ProgramOutput.of(["false"]) == nil)
    #expect(ProgramOutput.of(["/nonexistent"]) == nil)
  }
}
