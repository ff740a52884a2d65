import Capture
import FoundationEssentials
import Glibc
import ImagePicker
import Movies
import Platform
import Testing

@testable import Station
@testable import StationTools

/// Tests of the doctor's messages about cameras, movies, buttons and groups.
@Suite struct DoctorDeviceTests {
  private typealias Machine = DoctorMachine

  @Test(
    "the service's own view of its camera is told",
    arguments: [
      (#"{"state":"absent","words":"not plugged in","name":"Cam"}"#, "camera-none", "plug one in"),
      (
        #"{"state":"denied","words":"no permission","name":"Cam"}"#, "camera-denied",
        "sudo chmod 660 /dev/video"
      ),
      (
        #"{"state":"busy","words":"used by a program","holder":"cheese (812)","name":"Cam"}"#,
        "camera-busy",
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
    machine.status = Machine.status(camera: camera)
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
      .copy, problem: "libavcodec is not installed (no such file)",
      hardware: "libavcodec is not installed")
    let copied = try #require(try machine.findings()["movies-copied"])
    #expect(copied.text.contains("libavcodec is not installed (no such file)"))
    #expect(copied.fix == "sudo apt install \(EncoderChoice.package)")
    machine.movies.coding = nil
    #expect(try machine.findings()["movies-none"]?.level == .warning)
    // The service's own word counts more: it may be refused a device that this user is not.
    machine.installService()
    machine.status = Machine.status(more: #","movies":{"codec":"h264 (h264_v4l2m2m)"}"#)
    #expect(try machine.findings()["movies"]?.text.contains("h264_v4l2m2m") == true)
  }

  @Test("a camera that is switched off is no trouble") func aCameraThatIsSwitchedOffIsNoTrouble()
    throws
  {
    let machine = try Machine()
    try machine.write("/etc/retake/retake.toml", "[camera]\ndevice = \"off\"\n")
    machine.access.camera = Access(.restricted, DoctorTests.problem)
    #expect(try machine.findings()["camera-denied"] == nil)
  }

  @Test("a name that means two cameras is told, with the one to write in its place")
  func twins() throws {
    let machine = try Machine()
    for number in [0, 1] {
      var report = CameraReport(
        CameraIdentity(
          name: "Cam", driver: "uvcvideo", bus: "usb-\(number)", path: "/dev/video\(number)"))
      report.name = "/dev/v4l/by-path/pci-\(number)"
      report.twins = ["/dev/video\(1 - number)"]
      report.ambiguousNames = ["usb-Cam-T"]
      machine.cameras.append(report)
    }
    for (device, isTold) in [
      ("usb-Cam-T", true), ("/dev/v4l/by-path/pci-1", false), ("auto", false),
    ] {
      // In the table of the camera in use, and in that of one that has a name.
      for table in ["camera", "cameras.front"] {
        try machine.write("/etc/retake/retake.toml", "[\(table)]\ndevice = \"\(device)\"\n")
        let finding = try machine.findings()["camera-twins"]
        #expect((finding != nil) == isTold, "\(table) \(device)")
        guard let finding else { continue }
        #expect(finding.level == .warning)
        #expect(finding.text.hasPrefix("'usb-Cam-T' means 2 cameras with one serial number"))
        #expect(finding.fix?.hasSuffix("device = \"/dev/v4l/by-path/pci-0\"") == true)
      }
    }
  }

  @Test("who is in the camera's group already is told of the mode", arguments: [true, false])
  func aCameraWithoutItsMode(isMember: Bool) throws {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(
      camera: #"{"state":"denied","words":"no permission","name":"Cam"}"#)
    if !isMember { try machine.write("/etc/group", "video:x:44:\nretake:x:990:\n") }
    let fix = try #require(try machine.findings()["camera-denied"]?.fix)
    #expect(fix.hasPrefix(isMember ? "sudo chmod 660 /dev/video" : "sudo usermod -aG video"))
  }

  @Test("missing groups are named with the command") func missingGroupsAreNamedWithTheCommand()
    throws
  {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status()
    try machine.write("/etc/group", "video:x:44:\ngpio:x:997:\ninput:x:995:retake\nretake:x:990:\n")
    let finding = try machine.findings()["groups-missing"]
    #expect(finding?.text == "retake is not in video,gpio")
    #expect(finding?.fix == "sudo usermod -aG video,gpio retake; sudo systemctl restart retake")
  }

  @Test("buttons are told as the service sees them") func buttonsAreToldAsTheServiceSeesThem()
    throws
  {
    let machine = try Machine()
    machine.installService()
    machine.status = Machine.status(
      panel:
        #"{"buttons":[{"name":"a","place":"GPIO17","state":"armed"},{"name":"b","place":"GPIO5","state":"stuck"},{"name":"c","place":"GPIO6","state":"waiting","problem":"used by x"}],"lamps":[{"name":"l","place":"GPIO9","problem":"denied"}]}"#
    )
    let findings = try machine.findings()
    #expect(findings["buttons"]?.text == "a at GPIO17: ready")
    #expect(findings["buttons-stuck"]?.text.contains("b at GPIO5") == true)
    #expect(findings["buttons-waiting"]?.text.contains("used by x") == true)
    #expect(findings["lamps-broken"]?.text.contains("GPIO9") == true)
  }
}
