import Glibc
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Capture

@Suite struct ControlTests {
  private func webcam() -> ScriptedCamera {
    let device = Bench.mjpegCamera()
    device.controls = ScriptedControl.webcam
    return device
  }

  private func bench(_ device: ScriptedCamera, _ controls: [String: ControlValue]) throws -> Bench {
    try Bench(device, configure: { $0.controls = controls })
  }

  private func controls() throws -> [CameraControl] {
    let kernel = ScriptedKernel()
    kernel.plug(webcam(), at: 0)
    return try CameraList(system: kernel).abilities(at: "/dev/video0").controls
  }

  @Test("controls are read with ranges, menus and values")
  func controlsAreReadWithRangesMenusAndValues() throws {
    let found = try controls()
    #expect(found.count == ScriptedControl.webcam.count)
    let temperature = try #require(found.first { $0.name == "white_balance_temperature" })
    #expect(temperature.range == "from 2800 to 6500 in steps of 10")
    #expect(temperature.value == 4600)
    let exposure = try #require(found.first { $0.name == "auto_exposure" })
    #expect(exposure.range == "1 (Manual Mode), 3 (Aperture Priority Mode)")
    #expect(exposure.otherNames == ["exposure_auto"])
    #expect(found.first { $0.name == "firmware_version" }?.isReadOnly == true)
  }

  @Test("a driver with the older request only is read") func aDriverWithTheOlderRequestOnlyIsRead()
    throws
  {
    let kernel = ScriptedKernel()
    let device = webcam()
    device.failures["VIDIOC_QUERY_EXT_CTRL"] = ENOTTY
    kernel.plug(device, at: 0)
    let found = try CameraList(system: kernel).abilities(at: "/dev/video0").controls
    let expected = try controls()
    #expect(found == expected)
  }

  @Test(
    "words become names",
    arguments: [
      ("White Balance, Automatic", "white_balance_automatic"),
      ("Exposure (Absolute)", "exposure_absolute"),
      ("50 Hz", "50_hz"), ("  ÄÖ x__", "x"), ("", ""),
    ])
  func wordsBecomeNames(_ words: String, _ name: String) {
    #expect(CameraControl.name(of: words) == name)
  }

  @Test("the exposure is read, and its time only if somebody set it")
  func theExposureIsReadAndItsTimeOnlyIfSomebodySetIt() throws {
    let device = webcam()
    let automatic = try bench(device, [:])
    #expect(automatic.stream(1))
    #expect(automatic.camera.readExposure() == ExposureReading(isManual: false))
    let manual = try bench(
      webcam(), ["auto_exposure": .number(1), "exposure_time_absolute": .number(157)])
    #expect(manual.stream(1))
    let reading = manual.camera.readExposure()
    #expect(reading == ExposureReading(isManual: true, time: .microseconds(15_700)))
    let descriptors = manual.kernel.openDescriptors
    _ = manual.camera.readExposure()
    #expect(manual.kernel.openDescriptors == descriptors)
    #expect(try Bench().camera.readExposure() == nil)
  }

  @Test("the switch comes before the value that it locks")
  func theSwitchComesBeforeTheValueThatItLocks() throws {
    let device = webcam()
    let bench = try bench(
      device,
      [
        "white_balance_temperature": .number(5001), "white_balance_automatic": .boolean(false),
        "exposure_absolute": .number(100), "exposure_auto": .name("manual"),
        "focus_absolute": .number(30), "focus_automatic_continuous": .number(0),
        "power_line_frequency": .name("60 Hz"),
      ])
    #expect(bench.stream(3))
    #expect(device.controlValue("White Balance Temperature") == 5000)
    #expect(device.controlValue("Exposure Time, Absolute") == 100)
    #expect(device.controlValue("Focus, Absolute") == 30)
    #expect(device.controlValue("Power Line Frequency") == 2)
    #expect(device.controlValue("Brightness") == 0)
  }

  @Test("they are set again after every replug") func theyAreSetAgainAfterEveryReplug() throws {
    let device = webcam()
    let bench = try bench(
      device, ["focus_absolute": .number(30), "focus_automatic_continuous": .boolean(false)])
    #expect(bench.stream(3))
    for number in 1...5 {
      bench.kernel.unplug(device)
      #expect(bench.step { bench.camera.state == .absent })
      bench.kernel.plug(device, at: number)
      #expect(device.controlValue("Focus, Absolute") == 0)
      #expect(bench.stream(3))
      #expect(device.controlValue("Focus, Absolute") == 30)
    }
  }

  @Test("they are set again where each stream begins with its own values")
  func theyAreSetAgainWhereEachStreamBeginsWithItsOwnValues() throws {
    let device = webcam()
    device.forgetsControls = true
    let bench = try bench(
      device, ["focus_absolute": .number(30), "focus_automatic_continuous": .boolean(false)])
    #expect(bench.stream(3))
    #expect(device.controlValue("Focus, Absolute") == 30)
    // Each rung of the ladder: restart, negotiation, opening.
    for rung in 1...3 {
      let starts = device.starts
      device.script = { _ in .silence }
      device.onStart = { [weak device] number in
        if number >= starts + rung - 1 { device?.script = Bench.pictures }
      }
      #expect(bench.step { bench.camera.state == .stalled })
      #expect(bench.step { bench.camera.state == .streaming })
      #expect(device.starts == starts + rung)
      #expect(device.controlValue("Focus, Absolute") == 30, "rung \(rung)")
      #expect(device.controlValue("Focus, Automatic Continuous") == 0, "rung \(rung)")
    }
  }

  @Test("a camera that goes while they are set again is gone")
  func aCameraThatGoesWhileTheyAreSetAgainIsGone() throws {
    let device = webcam()
    let bench = try bench(device, ["brightness": .number(3)])
    #expect(bench.stream(3))
    let calls = Mutex(0)
    bench.kernel.failCalls { _, name in
      guard name == "VIDIOC_S_CTRL" else { return nil }
      return calls.withLock { (count: inout Int) -> Int32? in
        count += 1
        return count == 1 ? ENODEV : nil
      }
    }
    device.script = { _ in .silence }
    device.onStart = { [weak device] _ in device?.script = Bench.pictures }
    #expect(bench.step { bench.camera.state == .absent })
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(device.controlValue("Brightness") == 3)
  }

  @Test(
    arguments: [
      ("brightness", .number(65), "from -64 to 64, and is 65"),
      ("brightness", .boolean(true), "from -64 to 64, and is true"),
      ("power_line_frequency", .number(3), "0 (Disabled), 1 (50 Hz), 2 (60 Hz), and is 3"),
      ("power_line_frequency", .name("55 Hz"), "one of 0 (Disabled), 1 (50 Hz)"),
      ("white_balance_automatic", .number(2), "true or false, and is 2"),
      ("firmware_version", .number(1), "can only be read"),
      ("brightnes", .number(1), "no control 'brightnes'; the nearest is brightness"),
      ("focus_auto_x", .number(1), "focus_auto"),
      ("zzzzzzzzzzzz", .number(1), "it has brightness, white_balance_automatic"),
    ] as [(String, ControlValue, String)])
  func whatDoesNotExistIsRefusedWithWhatDoes(
    _ name: String, _ value: ControlValue, _ words: String
  ) throws {
    let bench = try bench(webcam(), [name: value])
    #expect(bench.step(20) { bench.camera.error != nil })
    #expect(bench.camera.error?.code == .badControl)
    #expect(bench.camera.error?.control == name)
    let message = bench.camera.error?.message ?? ""
    #expect(message.contains(words), "\(message)")
    #expect(bench.camera.error?.isFinal == true)
  }

  @Test(
    "what the driver refuses does not stop the camera", arguments: [EIO, EACCES, EBUSY, ERANGE])
  func whatTheDriverRefusesDoesNotStopTheCamera(_ errno: Int32) throws {
    let device = webcam()
    device.failures["VIDIOC_S_CTRL"] = errno
    let bench = try bench(device, ["brightness": .number(3), "focus_absolute": .number(5)])
    #expect(bench.stream(5))
  }

  @Test("a control that another locks is tried again after the others")
  func aControlThatAnotherLocksIsTriedAgainAfterTheOthers() throws {
    // The lock has the higher number, and is no switch: only the second try can work.
    var first = ScriptedControl(0x0098_0900, "First", 0...9, usual: 0)
    first.lock = (0x0098_0901, 0)
    let device = Bench.mjpegCamera()
    device.controls = [first, ScriptedControl(0x0098_0901, "Second", 0...9, usual: 0)]
    let bench = try bench(device, ["first": .number(7), "second": .number(1)])
    #expect(bench.stream(1))
    #expect(device.controlValue("First") == 7)
  }
}
