import Media
import Shots
import StationTestSupport
import Testing

@testable import Capture
@testable import Imaging
@testable import Station

@Suite struct CameraReportTests {
  private let kernel = ScriptedKernel()

  private func plug(
    _ number: Int, driver: String = "uvcvideo", serial: String = "S1",
    bus: String = "usb-0", formats: [(PixelFormat, [(PixelSize, [UInt32])])]? = nil
  ) {
    let small = PixelSize(width: 640, height: 480)
    let large = PixelSize(width: 1920, height: 1080)
    let usual: [(PixelFormat, [(PixelSize, [UInt32])])] = [
      (.yuyv, [(small, [30]), (large, [5])]), (.mjpeg, [(small, [30]), (large, [30, 15])]),
    ]
    let device = ScriptedCamera((formats ?? usual).map { ScriptedFormat($0.0, $0.1) }) { _ in
      .silence
    }
    device.driver = driver
    device.bus = bus
    device.usb = driver == "uvcvideo" ? ("1d6b", "0102", serial) : nil
    device.controls = ScriptedControl.webcam
    kernel.plug(device, at: number)
    kernel.setLink("/dev/v4l/by-id/usb-Rig-\(serial)", to: "../../video\(number)")
  }

  private func reports(_ text: String = "") throws -> [CameraReport] {
    let configuration = try Configuration().reading(text, file: "f.toml")
    return CameraReport.all(configuration: configuration, system: kernel)
  }

  @Test("a report says what is chosen and why") func aReportSaysWhatIsChosenAndWhy() throws {
    plug(0)
    kernel.setLink("/proc/4711/fd/7", to: "/dev/video0")
    kernel.setFile("/proc/4711/comm", "cheese\n")
    let report = try #require(try reports().first)
    #expect(report.choice?.mode == "1920x1080 MJPG at 30 fps")
    let reason = report.choice?.reason ?? ""
    #expect(reason.contains("the largest size up to 1920x1440 that reaches 15 fps"))
    #expect(reason.contains("MJPG, for YUYV reaches only 5 fps there"))
    #expect(report.use == "it is the first camera that can be used")
    #expect(report.holder == "cheese (process 4711)")
    #expect(report.problem == nil)
    #expect(report.layer == nil)
    #expect(report.formats.map(\.format) == ["YUYV", "MJPG"])
    let focus = report.controls.first { $0.name == "focus_absolute" }
    #expect(focus?.range == "from 0 to 250 in steps of 5")
    #expect(report.controls.first { $0.name == "power_line_frequency" }?.menu.count == 3)
  }

  @Test("the configuration decides and its line is named")
  func theConfigurationDecidesAndItsLineIsNamed() throws {
    plug(0, serial: "A")
    plug(1, serial: "B")
    let found = try reports(
      """
      [camera]
      device = "usb-Rig-B"
      size = "640x480"
      format = "YUYV"
      """)
    #expect(found.map(\.use) == [nil, "'camera.device' names it (f.toml:2)"])
    #expect(found.last?.choice?.mode == "640x480 YUYV at 30 fps")
    #expect(found.last?.choice?.reason.contains("the configuration names the size") == true)
    #expect(found.first?.choice?.mode == "1920x1080 MJPG at 30 fps")
  }

  @Test(
    "what the camera lacks is said with what it has",
    arguments: [
      ("size = \"1234x567\"", "no size 1234x567; it has 1920x1080, 640x480"),
      ("format = \"NV12\"", "no format NV12; it has YUYV, MJPG"),
      ("rate = 24", "no rate 24; it has 30, 15, 5"),
      (
        "controls.focus_absolute = 251",
        "f.toml:2: the camera's control 'focus_absolute' must be from 0 to 250"
      ),
      ("controls.exposure_auto = \"bulb\"", "one of 1 (Manual Mode), 3 (Aperture Priority Mode)"),
      ("controls.focus_absolut = 1", "the nearest is focus_absolute"),
    ])
  func whatTheCameraLacksIsSaidWithWhatItHas(_ line: String, _ words: String) throws {
    plug(0)
    let report = try #require(try reports("[camera]\n\(line)\n").first)
    #expect(report.problem?.contains(words) == true, "\(report.problem ?? "none")")
  }

  @Test("two cameras with one serial number are named by their ports")
  func twoCamerasWithOneSerialNumberAreNamedByTheirPorts() throws {
    for number in [0, 1] {
      plug(number, serial: "T", bus: "usb-\(number)")
      kernel.setLink("/dev/v4l/by-path/pci-\(number)", to: "../../video\(number)")
    }
    let found = try reports("[camera]\ndevice = \"usb-Rig-T\"\n")
    #expect(found.map(\.name) == ["/dev/v4l/by-path/pci-0", "/dev/v4l/by-path/pci-1"])
    #expect(found.map(\.twins) == [["/dev/video1"], ["/dev/video0"]])
    #expect(found.allSatisfy { $0.ambiguousNames.contains("usb-Rig-T") })
    #expect(found.allSatisfy { $0.ambiguousNames.contains("usb:1d6b:0102:T") })
    // The link leads to the second; the first port is used.
    #expect(found.map { $0.use != nil } == [true, false])
    let named = try reports("[camera]\ndevice = \"/dev/v4l/by-path/pci-1\"\n")
    #expect(named.map { $0.use != nil } == [false, true])
  }

  @Test("a receiver says how to start with the layer") func aReceiverSaysHowToStartWithTheLayer()
    throws
  {
    plug(0, driver: "unicam")
    let report = try #require(try reports().first)
    #expect(report.use == nil)
    #expect(report.choice == nil)
    let layer = report.layer ?? ""
    #expect(layer.contains("LD_PRELOAD=/usr/libexec/"))
    #expect(layer.contains("/libcamera/v4l2-compat.so retake run"))
    #expect(layer.contains("sudo apt install libcamera-v4l2"))
  }

  @Test("the demo camera before any device means that none is used")
  func theDemoCameraBeforeAnyDeviceMeansThatNoneIsUsed() throws {
    plug(0)
    let found = try reports("[camera]\ndevice = \"demo\"\n")
    #expect(found.map(\.use) == [nil])
  }

  @Test(
    "a still of a camera that only the library knows is made", arguments: ["RGB3", "BGR3", "BA81"])
  func aStillOfACameraThatOnlyTheLibraryKnowsIsMade(_ name: String) throws {
    let size = PixelSize(width: 64, height: 48)
    let count = name == "BA81" ? 64 * 48 : 64 * 48 * 3
    let format = try #require(PixelFormat(name))
    let device = ScriptedCamera([ScriptedFormat(format, [(size, [30])]) { _ in [count] }]) { _ in
      .picture([[UInt8](repeating: 150, count: count)])
    }
    kernel.plug(device, at: 0)
    var options = CameraOptions()
    options.skippedFrames = 0
    let camera = try Camera(.best, options: options, gate: FrameGate.inspect, system: kernel)
    let stepper = CameraStepper(camera)
    for _ in 0..<20 { _ = stepper.step() }
    guard let lease = camera.ring.newest() else {
      Issue.record("no frame")
      return
    }
    let frame = lease.takeFrame()
    defer { frame.release() }
    let still = try StillWorker().make(frame, orientation: Orientation()) { StillMetadata() }
    #expect(still.size.width * 4 <= still.size.height * 3 + 4)
    var bytes: [UInt8] = []
    still.withParts { parts in
      for part in parts {
        bytes += Array(UnsafeRawBufferPointer(start: part.iov_base, count: part.iov_len))
      }
    }
    #expect(bytes.starts(with: [0xFF, 0xD8]))
    #expect(bytes.suffix(2) == [0xFF, 0xD9])
    camera.stop()
    while stepper.step() {}
  }
}
