import Capture
import Media
import Platform
import StationTestSupport
import Synchronization

/// Runs a camera whose driver's answers are changed by the bytes; traps if a buffer, a mapping or a
/// descriptor is lost, or if a frame lies outside its buffer.
///
/// The first byte chooses the camera. Each answer then takes a byte: most let it pass, others
/// change words of the answer, or make it an error.
public func fuzzNegotiation(_ bytes: UnsafeRawBufferPointer) {
  guard let choice = bytes.first else { return }
  Log.setLevel(.error)
  let kernel = ScriptedKernel()
  let device = camera(choice)
  kernel.plug(device, at: 0)
  let bender = Bender(Array(bytes.dropFirst()))
  kernel.bend = { request, answer in bender.bend(request, answer) }

  var options = CameraOptions()
  options.controls = choice & 0x80 == 0 ? [:] : ["focus_absolute": .number(30)]
  guard
    let camera = try? Camera(
      .best, options: options, gate: { FrameInspection($0) }, system: kernel)
  else { return }
  let stepper = CameraStepper(camera)
  for step in 0..<200 {
    _ = stepper.step()
    guard let lease = camera.ring.newest() else { continue }
    touch(lease.frame.image)
    if step == 100 {
      kernel.unplug(device)
      kernel.plug(device, at: 1)
    }
  }
  camera.stop()
  while stepper.step() {}
  precondition(camera.ring.count == 0)
  precondition(kernel.mappedPlanes == 0, "mappings were left")
  precondition(kernel.openDescriptors == 1, "descriptors were left")
  precondition(kernel.hangs == 0)
}

// Reads the ends of what was published: outside of a mapping that is a crash.
private func touch(_ image: FrameImage) {
  var sum: UInt8 = 0
  if let first = image.bytes.first, let last = image.bytes.last { sum &+= first &+ last }
  for plane in [image.second, image.third].compactMap({ $0?.bytes }) {
    if let first = plane.first, let last = plane.last { sum &+= first &+ last }
  }
  withExtendedLifetime(sum) {}
}

private func camera(_ choice: UInt8) -> ScriptedCamera {
  let sizes: [(PixelSize, [UInt32])] = [
    (PixelSize(width: 64, height: 48), [30, 15]), (PixelSize(width: 32, height: 32), [60]),
  ]
  let formats: [ScriptedFormat]
  switch choice % 4 {
  case 0: formats = [ScriptedFormat(.mjpeg, sizes) { _ in [8192] }, ScriptedFormat(.yuyv, sizes)]
  case 1:
    formats = [
      ScriptedFormat(PixelFormat(rawValue: 0x3231_4D4E), sizes) {  // NM12
        [$0.width * $0.height, $0.width * $0.height / 2]
      }
    ]
  case 2: formats = [ScriptedFormat(.uyvy, sizes)]
  default: formats = [ScriptedFormat(PixelFormat(rawValue: 0x3342_4752), sizes)]  // RGB3
  }
  // Made once: the time is for the code under test.
  let picture = ScriptedFrame.picture([
    [UInt8](repeating: 7, count: 8192), [UInt8](repeating: 3, count: 4096),
  ])
  let device = ScriptedCamera(formats) { _ in picture }
  if choice % 4 == 1 { device.deviceCapabilities = 0x0400_1000 }
  if choice % 4 == 2 { device.timings = .success(PixelSize(width: 64, height: 48)) }
  if choice & 0x40 != 0 { device.allowsOrphans = false }
  device.controls = ScriptedControl.webcam
  return device
}

extension FrameInspection {
  /// Every frame passes, because only the code before the gate is tested here.
  fileprivate init(_ image: FrameImage) {
    self.init(verdict: .clean, picture: 0..<image.bytes.count, size: image.size)
  }
}

/// Takes decisions from bytes until they are used up, and lets everything pass from then on.
private final class Bender: Sendable {
  private struct Source {
    var bytes: [UInt8]
    var position = 0

    mutating func next() -> UInt8? {
      guard position < bytes.count else { return nil }
      defer { position += 1 }
      return bytes[position]
    }
  }

  private let source: Mutex<Source>
  private static let errors: [Int32] = [22, 16, 28, 5, 19, 25, 11, 12]
  private static let words: [UInt32] = [
    0, 1, 2, 0xFFFF_FFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF, 0x10000,
  ]

  init(_ bytes: [UInt8]) { source = Mutex(Source(bytes: bytes)) }

  func bend(_ request: UInt, _ answer: UnsafeMutableRawBufferPointer) -> Int32? {
    source.withLock { source in
      guard let byte = source.next() else { return nil }
      switch byte {
      case 0..<0x80: return nil
      case 0x80..<0xE0:
        for _ in 0...(byte & 3) {
          guard answer.count >= 4, let place = source.next(), let choice = source.next() else {
            return nil
          }
          let offset = Int(place) % (answer.count / 4) * 4
          var word = Bender.words[Int(choice & 7)]
          // Now and then a value that is nearly right.
          if choice & 8 != 0 {
            word =
              answer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
              &+ UInt32(choice >> 4)
          }
          answer.storeBytes(of: word, toByteOffset: offset, as: UInt32.self)
        }
        return nil
      default: return Bender.errors[Int(byte & 7)]
      }
    }
  }
}
