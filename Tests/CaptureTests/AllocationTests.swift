import CAllocationCounter
import Glibc
import Platform
import StationTestSupport
import Synchronization
import Testing

@testable import Capture

@Suite struct AllocationTests {
  // Good frames, and each kind of bad one.
  private static func mixed(_ number: Int) -> ScriptedFrame {
    var details = ScriptedDetails()
    switch number % 10 {
    case 3:
      details.errorFlag = true
      return .picture([samplePicture()], details)
    case 5: return .picture([[1, 2, 3, 4]])
    case 6: return .lost
    case 7:
      details.age = .milliseconds(900)
      return .picture([samplePicture()], details)
    default: return Bench.pictures(number)
    }
  }

  private static let reason: Comment =
    "a sanitizer has a malloc of its own, so that allocations cannot be counted"

  @Test(
    "a frame costs no allocation", .enabled(if: callocation_works() != 0, AllocationTests.reason),
    arguments: [false, true])
  func aFrameCostsNoAllocation(_ isMixed: Bool) throws {
    Log.setLevel(.error)
    let kernel = ScriptedKernel()
    let device = Bench.mjpegCamera(isMixed ? AllocationTests.mixed : Bench.pictures)
    kernel.plug(device, at: 0)
    let frames = Atomic<Int>(0)
    let camera = try Camera(
      .best, gate: plainGate, system: UncountedSystemCalls(base: kernel)
    ) { event in
      if case .frame = event { frames.wrappingAdd(1, ordering: .relaxed) }
    }
    let loop = camera.makeLoop()
    // The first steps allocate what is allocated only once: buffers, ring, spares and the
    // compiler's own caches.
    for _ in 0..<300 { _ = loop.step() }
    let before = (camera.counts.frames, callocation_total())
    callocation_trap(getenv("RETAKE_TRAP_ALLOCATIONS") == nil ? 0 : 1)
    _ = callocation_count(1)
    for _ in 0..<1000 { _ = loop.step() }
    _ = callocation_count(0)
    callocation_trap(0)
    let made = callocation_total() - before.1
    let seen = camera.counts.frames - before.0
    #expect(made == 0, "\(made) allocations for \(seen) frames")
    #expect(seen > 800)
    #expect(frames.load(ordering: .relaxed) > 500)
    camera.stop()
    while loop.step() {}
  }

  @Test("the counter counts", .enabled(if: callocation_works() != 0, AllocationTests.reason))
  func theCounterCounts() {
    let before = callocation_total()
    _ = callocation_count(1)
    let block = malloc(1000)
    _ = callocation_count(0)
    free(block)
    #expect(callocation_total() == before + 1)
  }
}
