import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Movies
import Platform
import Testing

@testable import Station
@testable import StationTools

/// Tests of the doctor's messages about the configuration, the service and its page.
@Suite struct DoctorTests {
  private typealias Machine = DoctorMachine

  @Test("every code is unique and says something") func everyCodeIsUniqueAndSaysSomething() {
    let codes = DoctorMessage.all.map(\.code)
    #expect(Set(codes).count == codes.count)
    for message in DoctorMessage.all {
      #expect(!message.text.isEmpty, "\(message.code)")
      #expect((message.level == .ok) == message.fix.isEmpty, "\(message.code)")
    }
  }

  @Test("the reference has every message that is no good news")
  func theReferenceHasEveryMessageThatIsNoGoodNews() {
    let messages = DoctorMessage.reference
    for message in DoctorMessage.all where message.level != .ok {
      #expect(messages.contains("| `\(message.code)` |"), "\(message.code)")
    }
  }

  @Test("a booth in order is all ok") func aBoothInOrderIsAllOk() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status()
    try machine.write("/var/lib/retake/photos/.keep", "")
    chmod(machine.root + "/var/lib/retake/photos", 0o777)
    let findings = try machine.findings()
    #expect(findings.values.filter { $0.level != .ok }.map(\.code) == [])
    #expect(findings["camera"]?.text == "Cam streams 1280x720 MJPG")
    #expect(findings["groups"]?.text == "retake is in video, gpio, input")
    #expect(findings["library"]?.text.contains("10.0 GB free") == true)
  }

  /// The problem that the station reports for its camera, its library and its buttons.
  static let problem = AccessProblem(
    subject: "retake", object: "the thing", cause: "the door is shut", fix: "open the door")

  @Test(
    "a refusal is told in the station's own words",
    arguments: [
      ("camera-denied", ImagePickerController.Resource.camera), ("library-denied", .library),
      ("buttons-denied", .buttons),
    ])
  func aRefusalIsToldInTheStationsOwnWords(
    code: String, resource: ImagePickerController.Resource
  ) throws {
    // The first is the report of the running service, the second that of a person's station.
    for isRunning in [true, false] {
      let machine = try Machine()
      var report = AccessReport()
      report[resource] = Access(.denied, DoctorTests.problem)
      if isRunning {
        machine.installService()
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        machine.status = Machine.status(
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

  @Test("a wrong configuration is told with its line") func aWrongConfigurationIsToldWithItsLine()
    throws
  {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(
      more: #","configurationProblem":"/etc/retake/retake.toml:1:1: wrong""#)
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

  @Test("what is no file is told as the station would tell it")
  func whatIsNoFileIsToldAsTheStationWouldTellIt() throws {
    let machine = try Machine()
    try machine.write("/etc/retake/retake.toml/inside", "")
    #expect(
      try machine.findings()["configuration-wrong"]?.text
        == "/etc/retake/retake.toml is a directory, and must be a plain file")
  }

  @Test("a page for others without a token is told")
  func aPageForOthersNeedsAToken() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(more: #","page":{"address":"192.168.0.2:8080"}"#)
    #expect(try machine.findings()["page-open"]?.level == .problem)
    try machine.write("/etc/retake/retake.toml", "[web]\ntoken = \"0123456789abcdef\"\n")
    #expect(try machine.findings()["page-open"] == nil)
  }

  @Test(
    "secrets that everybody can read are told",
    arguments: [
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
    // A file without a secret causes no warning.
    try machine.write(file, "[web]\nsounds = true\n")
    chmod(machine.root + file, 0o644)
    #expect(try machine.findings()["configuration-open"] == nil)
  }

  @Test(
    "an address that the socket unit keeps from use is told",
    arguments: [
      ("127.0.0.1:9000", "ListenStream=127.0.0.1:9000'; then:"),
      ("192.168.0.2:8080", "'IPAddressAllow=any'"), ("", "mask --now retake.socket"),
    ])
  func anAddressThatTheSocketUnitKeepsFromUseIsTold(wanted: String, fix: String) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(
      more: #","page":{"address":"127.0.0.1:8080","ignored":"\#(wanted)"}"#)
    let finding = try #require(try machine.findings()["page-socket"])
    #expect(finding.level == .warning && finding.text.contains("listens at 127.0.0.1:8080"))
    #expect(finding.fix?.contains(fix) == true, "\(finding)")
    machine.status = Machine.status(more: #","page":{"address":"127.0.0.1:8080"}"#)
    #expect(try machine.findings()["page-socket"] == nil)
  }

  @Test("a service that is down or silent or unwatched is told")
  func aServiceThatIsDownOrSilentOrUnwatchedIsTold() throws {
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
    machine.status = Machine.status(
      service: #"{"silentMilliseconds":{"saver":45000,"capture":10}}"#)
    #expect(try machine.findings()["watchdog-silent"]?.text.contains("saver") == true)
  }

  @Test("without service it says what a person's station would meet")
  func withoutServiceItSaysWhatAPersonsStationWouldMeet() throws {
    let machine = try Machine()
    let findings = try machine.findings()
    #expect(findings["service-none"]?.level == .ok)
    #expect(findings["camera-none"]?.level == .problem)
  }

  @Test(
    "a status of another version is no trouble",
    arguments: [
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
    // This machine has neither a camera nor a library, regardless of the station's own report.
    #expect(blamed == ["camera-none", "library-none"])
  }
}
