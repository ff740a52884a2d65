import Glibc
import Platform
import StationTestSupport
import Testing

@testable import Capture

/// Every call of a whole run fails once, one run for each call and error.
@Suite struct FaultTests {
  /// Start, stream, hold a frame, unplug, replug, stream, stop.
  private func run(_ plan: @escaping @Sendable (Int, String) -> Int32?) throws -> (Bench, Int)? {
    let device = Bench.mjpegCamera()
    let kernel = ScriptedKernel()
    kernel.plug(device, at: 0)
    kernel.failCalls(plan)
    let bench: Bench
    do {
      bench = try Bench(device, kernel: kernel)
    } catch {
      #expect(error.code == .failed)
      #expect(kernel.openDescriptors == 0)
      return nil
    }
    #expect(bench.stream(6), "no frames")
    let held = Held(bench.camera.ring.newest())
    #expect(bench.stream(6), "no more frames")
    kernel.unplug(device)
    #expect(bench.step { bench.camera.state != .streaming }, "the unplug went unnoticed")
    kernel.plug(device, at: 1)
    #expect(bench.stream(6), "no frames after the replug")
    #expect(held.map { $0.frame.image.bytes.count > 0 } ?? true)
    bench.finish()
    _ = consume held
    #expect(bench.camera.state == .stopped)
    #expect(kernel.mappedPlanes == 0, "mappings were left")
    #expect(kernel.openDescriptors == 1, "descriptors were left")
    #expect(kernel.hangs == 0)
    return (bench, kernel.calls)
  }

  @Test(
    "every call may fail once",
    arguments: [EINTR, EIO, ENOMEM, EBUSY, ENODEV, EINVAL, EAGAIN, ENOSPC])
  func everyCallMayFailOnce(_ errno: Int32) throws {
    let clean = try #require(try run { _, _ in nil })
    var number = 1
    // As long as the fault still falls into the run; the runs with a fault are longer.
    while number <= clean.1 {
      let failing = number
      _ = try run { call, _ in call == failing ? errno : nil }
      number += 1
    }
    #expect(number > 200)
  }

  @Test(
    "a driver may lack what is not needed",
    arguments: [
      "VIDIOC_G_PARM", "VIDIOC_S_PARM", "VIDIOC_ENUM_FRAMEINTERVALS", "VIDIOC_ENUM_FRAMESIZES",
      "VIDIOC_G_INPUT", "VIDIOC_ENUMINPUT", "VIDIOC_SUBSCRIBE_EVENT", "VIDIOC_DQEVENT",
    ])
  func aDriverMayLackWhatIsNotNeeded(_ request: String) throws {
    let device = Bench.mjpegCamera()
    device.failures[request] = ENOTTY
    let bench = try Bench(device)
    #expect(bench.stream(20))
  }

  @Test(
    "a driver that lacks what is needed is a state, not a trap",
    arguments: [
      "VIDIOC_ENUM_FMT", "VIDIOC_S_FMT", "VIDIOC_REQBUFS", "VIDIOC_QUERYBUF", "VIDIOC_QBUF",
      "VIDIOC_STREAMON", "mmap",
    ])
  func aDriverThatLacksWhatIsNeededIsAStateNotATrap(_ request: String) throws {
    let bench = try Bench()
    bench.kernel.failCalls { _, name in name == request ? EINVAL : nil }
    bench.step(60) { false }
    #expect(bench.camera.state != .streaming)
    #expect(bench.camera.error != nil)
    #expect(bench.kernel.mappedPlanes == 0)
    bench.kernel.failCalls(nil)
    #expect(bench.stream(5))
  }
}
