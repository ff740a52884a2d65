import Glibc
import Media
import Platform
import StationTestSupport
import Testing

@testable import Capture

@Suite struct CameraListTests {
  private let kernel = ScriptedKernel()

  private func plug(
    _ number: Int, driver: String = "uvcvideo", capabilities: UInt32 = 0x0400_0001,
    usb: (vendor: String, product: String, serial: String)? = ("1d6b", "0102", "S1")
  ) -> ScriptedCamera {
    let device = Bench.mjpegCamera()
    device.driver = driver
    device.deviceCapabilities = capabilities
    device.usb = usb
    kernel.plug(device, at: number)
    return device
  }

  private var list: CameraList { CameraList(system: kernel) }

  @Test(
    arguments: [
      ("metadata", 0x0480_0000), ("output", 0x0400_0002), ("a codec", 0x0400_8001),
      ("a multi-planar codec", 0x0400_5000), ("read() only", 0x0100_0001),
    ] as [(String, UInt32)])
  func whatIsNoCameraIsLeftOut(_ what: String, _ capabilities: UInt32) {
    _ = plug(0, capabilities: capabilities)
    _ = plug(1)
    #expect(list.entries().map(\.identity.path) == ["/dev/video1"], "\(what)")
    #expect(throws: CaptureError.self) {
      try list.find(.device("/dev/video0"), known: nil)
    }
  }

  @Test("a processor of the Raspberry Pi is no camera and a receiver not the best")
  func aProcessorOfTheRaspberryPiIsNoCameraAndAReceiverNotTheBest() throws {
    _ = plug(0, driver: "bcm2835-isp", usb: nil)
    _ = plug(1, driver: "rp1-cfe", usb: nil)
    #expect(list.entries().map(\.identity.driver) == ["rp1-cfe"])
    #expect(list.entries().first?.needsCompatibilityLayer == true)
    #expect(list.bestOrDemo() == .demo)
    _ = plug(2)
    #expect(list.bestOrDemo() == .best)
    #expect(try list.find(.best, known: nil).path == "/dev/video2")
  }

  @Test("nodes are in the order of their numbers") func nodesAreInTheOrderOfTheirNumbers() {
    for number in [10, 2, 1] { _ = plug(number, usb: ("1", "2", "\(number)")) }
    #expect(list.entries().map(\.identity.path) == ["/dev/video1", "/dev/video2", "/dev/video10"])
  }

  @Test(
    "a camera is found by any of its names",
    arguments: [
      "usb-Cam_S1-video-index0", "/dev/v4l/by-id/usb-Cam_S1-video-index0", "/dev/video3",
      "usb:1d6b:0102:S1",
    ])
  func aCameraIsFoundByAnyOfItsNames(_ name: String) throws {
    _ = plug(0, usb: ("1", "2", "other"))
    _ = plug(3)
    kernel.setLink("/dev/v4l/by-id/usb-Cam_S1-video-index0", to: "../../video3")
    let found = try list.find(CameraName(name), known: nil)
    #expect(found.path == "/dev/video3")
    #expect(found.serial == "S1")
    #expect(found.links == ["/dev/v4l/by-id/usb-Cam_S1-video-index0"])
  }

  @Test("a link of one's own works") func aLinkOfOnesOwnWorks() throws {
    _ = plug(3)
    kernel.setLink("/dev/booth", to: "video3")
    let found = try list.find(.device("/dev/booth"), known: nil)
    #expect(found.path == "/dev/video3")
    #expect(found.key == "usb:1d6b:0102:S1")
  }

  @Test(
    "an opening that fails is explained",
    arguments: [
      (ENOENT, CaptureError.Code.noCamera), (ENODEV, .noCamera), (EACCES, .denied), (EBUSY, .busy),
      (ENOTTY, .notCamera), (EIO, .failed),
    ])
  func anOpeningThatFailsIsExplained(_ errno: Int32, _ code: CaptureError.Code) {
    _ = plug(0)
    kernel.setOpenError("/dev/video0", errno)
    do {
      _ = try list.find(.device("/dev/video0"), known: nil)
      Issue.record("it was found")
    } catch {
      #expect(error.code == code)
      #expect(error.message.contains("/dev/video0"))
      #expect(error.cause?.errno == errno)
    }
  }

  @Test("a denied camera is listed with its name") func aDeniedCameraIsListedWithItsName() {
    _ = plug(0)
    kernel.setOpenError("/dev/video0", EACCES)
    #expect(list.entries().first?.identity.name == "Scripted Camera")
    #expect(list.entries().first?.error?.code == .denied)
  }

  @Test("a driver that answers for ever is cut off") func aDriverThatAnswersForEverIsCutOff() throws
  {
    let many = (0..<2000).map { _ in (PixelSize(width: 640, height: 480), [UInt32](1...300)) }
    let device = ScriptedCamera([ScriptedFormat(.mjpeg, many)], script: Bench.pictures)
    kernel.plug(device, at: 0)
    let offers = try list.offers(at: "/dev/video0")
    #expect(offers.first?.sizes.count == 1)
    #expect((offers.first?.sizes.first?.rates.count ?? 0) <= 256)
  }

  @Test("the name of a camera is read") func theNameOfACameraIsRead() {
    #expect(CameraName("demo") == .demo)
    #expect(CameraName("clip:a:b.mjpeg") == .clip("a:b.mjpeg"))
    #expect(CameraName("/dev/video0") == .device("/dev/video0"))
    #expect(CameraName("auto") == .best)
  }
}

@Suite struct RawLayoutTests {
  // The arguments are the minimum sizes in bytes of a picture of 5 by 3 pixels with 8 bytes per
  // line.
  @Test(
    "a short raw frame is told",
    arguments: [
      ("GREY", 21), ("YUYV", 36), ("NV12", 38), ("NV16", 46), ("YU12", 39), ("422P", 47),
    ])
  func aShortRawFrameIsTold(_ name: String, _ bytes: Int) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes, alignment: 1)
    defer { memory.deallocate() }
    for (count, isComplete) in [(bytes, true), (bytes - 1, false), (0, false)] {
      let image = FrameImage(
        bytes: UnsafeRawBufferPointer(rebasing: memory.prefix(count)),
        format: try #require(PixelFormat(name)), size: PixelSize(width: 5, height: 3),
        bytesPerLine: 8)
      #expect(image.isComplete == isComplete, "\(name) \(count)")
    }
  }

  @Test("a short raw frame is counted and dropped") func aShortRawFrameIsCountedAndDropped() throws
  {
    let size = PixelSize(width: 64, height: 48)
    let device = ScriptedCamera([ScriptedFormat(.yuyv, [(size, [30])])]) { number in
      .picture([[UInt8](repeating: 0, count: number % 2 == 0 ? 64 * 48 * 2 : 64 * 47 * 2)])
    }
    let bench = try Bench(device)
    #expect(bench.stream(10))
    #expect((9...10).contains(bench.camera.counts.damaged(.short)))
  }
}
