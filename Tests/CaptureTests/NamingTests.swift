import Media
import Platform
import StationTestSupport
import Testing

@testable import Capture

/// Tests of the camera that a name refers to, after a replug and if two cameras share the name.
@Suite struct NamingTests {
  private static let port = "pci-0000:00:14.0-usb-0:1:1.0-video-index0"
  private static let portPath = "/dev/v4l/by-path/" + port

  private static func camera(
    port: Int, serial: String = "S1", number: UInt8 = 1
  ) -> ScriptedCamera {
    let device = Bench.mjpegCamera { _ in
      .picture([samplePicture(number, size: PixelSize(width: 1280, height: 720))])
    }
    device.bus = "usb-0000:00:14.0-\(port)"
    device.usb = ("1d6b", "0102", serial)
    return device
  }

  /// Plugs a camera in, and makes the link as udev does, a little later.
  private static func plug(
    _ device: ScriptedCamera, at number: Int, _ kernel: ScriptedKernel, link: String? = nil
  ) {
    kernel.plug(device, at: number)
    guard let link else { return }
    kernel.at(kernel.clock.now + .milliseconds(30)) {
      $0.setLink(link, to: link.hasPrefix("/dev/v4l") ? "../../video\(number)" : "video\(number)")
    }
  }

  @Test(
    "a link is followed after every replug",
    arguments: [
      (portPath, portPath), (port, portPath), ("/dev/booth", "/dev/booth"),
      ("/run/cam/left", "/run/cam/left"),
    ])
  func aLinkIsFollowedAfterEveryReplug(_ name: String, _ link: String) throws {
    let device = Self.camera(port: 1)
    let kernel = ScriptedKernel()
    kernel.plug(device, at: 0)
    let target = link.hasPrefix("/dev/v4l") ? "../../video" : "/dev/video"
    kernel.setLink(link, to: target + "0")
    let bench = try Bench(device, name: .device(name), kernel: kernel)
    #expect(bench.stream(3))
    #expect(bench.camera.identity?.path == "/dev/video0")
    for number in 1...5 {
      kernel.unplug(device)
      kernel.setLink(link, to: "nothing")
      #expect(bench.step { bench.camera.state == .absent })
      // Long enough for the pauses to have grown.
      bench.step(30) { false }
      kernel.plug(device, at: number)
      let plugged = kernel.clock.now
      kernel.at(plugged + .milliseconds(30)) { $0.setLink(link, to: "\(target)\(number)") }
      #expect(bench.step { bench.camera.state == .streaming })
      #expect(bench.camera.identity?.path == "/dev/video\(number)")
      #expect(kernel.clock.now - plugged < .seconds(2))
    }
  }

  @Test("a port is that port whatever camera is there") func aPortIsThatPortWhateverCameraIsThere()
    throws
  {
    let (first, second) = (Self.camera(port: 1), Self.camera(port: 1, serial: "S2"))
    let kernel = ScriptedKernel()
    kernel.plug(first, at: 0)
    kernel.setLink(Self.portPath, to: "../../video0")
    let bench = try Bench(first, name: .device(Self.portPath), kernel: kernel)
    #expect(bench.stream(3))
    kernel.unplug(first)
    #expect(bench.step { bench.camera.state == .absent })
    // The same camera elsewhere is not at the port.
    first.bus = "usb-0000:00:14.0-7"
    kernel.setLink(Self.portPath, to: "nothing")
    kernel.plug(first, at: 1)
    bench.step(60) { false }
    #expect(bench.camera.state == .absent)
    kernel.plug(second, at: 2)
    kernel.setLink(Self.portPath, to: "../../video2")
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.camera.identity?.serial == "S2")
  }

  @Test("a stale link of the owner's leads to the camera that it meant at first")
  func aStaleLinkOfTheOwnersLeadsToTheCameraThatItMeantAtFirst() throws {
    let device = Self.camera(port: 1)
    let kernel = ScriptedKernel()
    kernel.plug(device, at: 0)
    kernel.setLink("/home/booth/camera", to: "/dev/video0")
    let bench = try Bench(device, name: .device("/home/booth/camera"), kernel: kernel)
    #expect(bench.stream(3))
    kernel.unplug(device)
    #expect(bench.step { bench.camera.state == .absent })
    kernel.plug(device, at: 2)
    #expect(bench.step { bench.camera.state == .streaming })
    #expect(bench.camera.identity?.path == "/dev/video2")
  }

  @Test(
    "of two with one serial number the first port is taken in every order",
    arguments: ["usb-Cam_S1-video-index0", "usb:1d6b:0102:S1"])
  func ofTwoWithOneSerialNumberTheFirstPortIsTakenInEveryOrder(_ name: String) throws {
    for (low, high, linked) in [(0, 1, 0), (0, 1, 1), (4, 2, 2), (4, 2, 4)] {
      let kernel = ScriptedKernel()
      kernel.plug(Self.camera(port: 10), at: high)
      kernel.plug(Self.camera(port: 2), at: low)
      kernel.setLink("/dev/v4l/by-id/usb-Cam_S1-video-index0", to: "../../video\(linked)")
      kernel.setLink("/dev/v4l/by-path/pci-2", to: "../../video\(low)")
      let list = CameraList(system: kernel)
      let found = try list.find(.device(name), known: nil)
      #expect(found.path == "/dev/video\(low)", "\(low) \(high) \(linked)")
      #expect(found.twins == ["/dev/video\(high)"])
      #expect(found.uniqueName == "/dev/v4l/by-path/pci-2")
      // A node number that the operator chose stays that node.
      let other = try list.find(.device("/dev/video\(high)"), known: nil)
      #expect(other.path == "/dev/video\(high)")
    }
  }

  @Test("the twin is never taken for the camera that was pulled out")
  func theTwinIsNeverTakenForTheCameraThatWasPulledOut() throws {
    let (ours, twin) = (Self.camera(port: 1, number: 1), Self.camera(port: 2, number: 2))
    for isThereFirst in [true, false] {
      let kernel = ScriptedKernel()
      kernel.plug(ours, at: 0)
      kernel.setLink("/dev/v4l/by-id/usb-Cam_S1-video-index0", to: "../../video0")
      if isThereFirst { kernel.plug(twin, at: 1) }
      let bench = try Bench(ours, name: .device("usb-Cam_S1-video-index0"), kernel: kernel)
      #expect(bench.stream(3))
      if !isThereFirst { kernel.plug(twin, at: 1) }
      #expect(bench.stream(3))
      kernel.setLink("/dev/v4l/by-id/usb-Cam_S1-video-index0", to: "../../video1")
      kernel.unplug(ours)
      bench.step(200) { false }
      #expect(bench.camera.state == .absent)
      let message = bench.camera.error?.message ?? ""
      #expect(message.contains("has its serial number and is another"), "\(message)")
      kernel.plug(ours, at: 3)
      #expect(bench.step { bench.camera.state == .streaming })
      #expect(bench.camera.identity?.path == "/dev/video3")
      kernel.unplug(ours)
      kernel.unplug(twin)
    }
  }

  @Test("a camera that is moved to another port is still that camera")
  func aCameraThatIsMovedToAnotherPortIsStillThatCamera() throws {
    let device = Self.camera(port: 1)
    let bench = try Bench(device, name: .device("usb:1d6b:0102:S1"))
    #expect(bench.stream(3))
    bench.kernel.unplug(device)
    #expect(bench.step { bench.camera.state == .absent })
    bench.kernel.clock.advance(by: .seconds(2))
    device.bus = "usb-0000:00:14.0-4"
    bench.kernel.plug(device, at: 1)
    #expect(bench.step { bench.camera.state == .streaming })
  }
}
