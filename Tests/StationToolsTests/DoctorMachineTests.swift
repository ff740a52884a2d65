import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Movies
import Platform
import Testing

@testable import Station
@testable import StationTools

/// Tests of the doctor's messages about disks, power, temperature and the clock, and of its calls
/// of other programs.
@Suite struct DoctorMachineTests {
  private typealias Machine = DoctorMachine

  @Test("a disk that hangs is named") func aDiskThatHangsIsNamed() throws {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(
      more: #","silentDisks":[{"path":"/media/stick","milliseconds":21500,"threads":1}]"#)
    try machine.write("/var/lib/retake/photos/.keep", "")
    let finding = try #require(try machine.findings()["disk-silent"])
    #expect(finding.level == .problem)
    #expect(finding.text == "/media/stick has not answered for 21 s")
  }

  @Test("copies that are not all there are a warning with the station's words, in any state")
  func copies() throws {
    for (state, fix, code) in [
      ("ready", "null", "copies"), ("copying", "null", "copies"),
      ("ready", #""one is not""#, "copies-away"), ("refused", #""another disk""#, "copies-away"),
      ("waiting", #""see the library""#, "copies-away"), ("absent", "null", "copies-away"),
    ] {
      let machine = try Machine()
      machine.installService()
      machine.status = Machine.status(
        library: #"{"path":"/p","state":"ok","copies":[{"path":"/u","state":"\#(state)","#
          + #""fix":\#(fix)}]}"#)
      let finding = try #require(try machine.findings()[code], "\(state) \(fix)")
      let told = fix.dropFirst().dropLast()
      let advice = fix == "null" ? "plug it in; it catches up by itself" : String(told)
      #expect(finding.fix == (code == "copies" ? nil : advice), "\(finding)")
    }
  }

  @Test("a library of somebody else is told before the service runs")
  func aLibraryOfSomebodyElseIsToldBeforeTheServiceRuns() throws {
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

  @Test("a library below a home is told as what it is, whatever its permissions")
  func aLibraryBelowAHomeIsHidden() throws {
    let machine = try Machine()
    machine.installService()
    var report = AccessReport()
    report.library = Access(.denied, DoctorTests.problem)
    let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    machine.status = Machine.status(
      library: #"{"path":"/home/pi/photos/booth","state":"gone"}"#, more: #","access":\#(json)"#)
    try machine.write("/etc/retake/retake.toml", "[library]\npath = \"/home/pi/photos\"\n")
    let findings = try machine.findings()
    #expect(findings["library-denied"] == nil)
    #expect(findings["library-sandbox"]?.fix?.contains("ProtectHome=no") == true)
  }

  @Test(
    "a library that the sandbox hides is told",
    arguments: [
      ("/data/photos", nil), ("/home/pi/photos", "library-sandbox"), ("/srv/x", nil),
      ("/srvx", "library-sandbox"),
    ])
  func aLibraryThatTheSandboxHidesIsTold(path: String, code: String?) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(library: #"{"path":"\#(path)/booth","state":"ok"}"#)
    try machine.write("/etc/retake/retake.toml", "[library]\npath = \"\(path)\"\n")
    #expect(try machine.findings()["library-sandbox"]?.code == code)
  }

  @Test("the library's state and its disk are told") func theLibrarysStateAndItsDiskAreTold() throws
  {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(
      library: #"{"path":"/x","state":"read-only","fix":"remount it"}"#)
    #expect(try machine.findings()["library-broken"]?.fix == "remount it")
    machine.status = Machine.status(library: #"{"path":"/x","state":"gone"}"#)
    #expect(try machine.findings()["library-none"] != nil)
    machine.status = Machine.status()
    try machine.write("/var/lib/retake/photos/.keep", "")
    machine.facts = FileSystemFacts(type: "tmpfs", free: 10_000_000_000, isVolatile: true)
    #expect(try machine.findings()["library-volatile"]?.level == .problem)
    machine.facts = FileSystemFacts(type: "vfat", free: 250_000_000)
    let findings = try machine.findings()
    #expect(findings["library-fat"] != nil && findings["library-low"] != nil)
  }

  @Test(
    "the firmware's word on power is read",
    arguments: [
      ("0x0", "power"), ("0x50005", "power-low"), ("0x50000", "power-was-low"),
      ("0x80000", "power"),
      ("0x8", "power-was-low"), ("rubbish", "power-unknown"),
    ])
  func theFirmwaresWordOnPowerIsRead(text: String, code: String) throws {
    let machine = try Machine()
    try machine.write("/sys/devices/platform/soc/soc:firmware/get_throttled", "\(text)\n")
    #expect(try machine.findings()[code] != nil)
  }

  @Test("a voltage sensor is read too", arguments: [("1", "power-low"), ("0", "power")])
  func aVoltageSensorIsReadToo(alarm: String, code: String) throws {
    let machine = try Machine()
    try machine.write("/sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    try machine.write("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    try machine.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "\(alarm)\n")
    #expect(try machine.findings()[code] != nil)
  }

  @Test(
    "the hottest sensor counts",
    arguments: [
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

  @Test("the clock and the page are told") func theClockAndThePageAreTold() throws {
    let machine = try Machine()
    machine.isClockSet = false
    machine.installService()
    machine.kiosk = "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\n"
    machine.status = Machine.status(service: #"{"pageSilentMilliseconds":2000}"#)
    var findings = try machine.findings()
    #expect(findings["clock-unset"] != nil && findings["page"] != nil)
    machine.status = Machine.status(service: #"{"pageSilentMilliseconds":90000}"#)
    findings = try machine.findings()
    #expect(findings["page-silent"]?.text.contains("90 s") == true)
    machine.kiosk = "LoadState=loaded\nActiveState=failed\nUnitFileState=enabled\n"
    machine.status = Machine.status()
    #expect(try machine.findings()["page-kiosk-down"]?.text.contains("failed") == true)
    machine.kiosk = nil
    #expect(try machine.findings()["page-none"] != nil)
  }

  @Test(
    "a program that goes on is ended",
    arguments: [
      "while :; do echo x; done", "exec 1>&- 2>&-; exec sleep 1000", "exec sleep 1000",
    ])
  func aProgramThatGoesOnIsEnded(_ script: String) {
    let output = ProgramOutput.of(["sh", "-c", script], patience: .milliseconds(30))
    #expect(output == nil)
  }

  @Test("a program's output is read") func aProgramsOutputIsRead() {
    #expect(ProgramOutput.of(["echo", "one"]) == "one\n")
    #expect(ProgramOutput.of(["false"]) == nil)
    #expect(ProgramOutput.of(["/nonexistent"]) == nil)
  }
}
