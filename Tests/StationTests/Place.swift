import FoundationEssentials
import Glibc
import ImagePicker
import Platform
import StationTestSupport
import Testing

@testable import Station

/// A directory of its own for whole stations, removed at the end.
final class Place {
  let path: String

  init() throws {
    // Not below /tmp: it may be a RAM disk, on which a library is refused.
    var template = Array("/var/tmp/retake-station-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(errno: errno, call: "mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  var album: String { "\(path)/photos/booth" }

  func station(
    system: any SystemCalls = LinuxSystemCalls(),
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> Station {
    Log.setLevel(.error)
    var configuration = Configuration()
    configuration.countdown = .zero
    configuration.libraryPath = "\(path)/photos"
    configuration.socketPath = "\(path)/socket"
    change(&configuration)
    var options = Station.Options()
    options.camera = "demo"
    return try Station(configuration: configuration, options: options, system: system)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Whole stations have the demo camera to themselves, one after the other.
@Suite(.serialized) struct WholeStationTests {}

/// Waits while a condition holds; records an issue after five minutes.
func pause(
  while condition: () async -> Bool, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  let end = ContinuousClock.now + .seconds(300)
  while await condition() {
    guard ContinuousClock.now < end else {
      Issue.record("the wait has no end", sourceLocation: sourceLocation)
      return
    }
    await pause()
  }
}

extension Station {
  /// Starts the station with short end screens.
  func startForTest() async throws(StationError) {
    try await start()
    var configuration = await core.machine.configuration
    configuration.linger = .milliseconds(200)
    configuration.failureLinger = .milliseconds(200)
    await core.reconfigure(configuration)
  }

  func picking(_ request: PickRequest) -> Task<PickerResult, any Error> {
    Task { @MainActor in
      do {
        return try await pick(request)
      } catch {
        // The error is reported at once, because a test that waits for states would wait for ever.
        print("not picked: \(error)")
        throw error
      }
    }
  }

  func reach(_ state: String, sourceLocation: SourceLocation = #_sourceLocation) async {
    await pause(while: { status.state != state }, sourceLocation: sourceLocation)
  }

  /// Presses once the presented picker shows the live picture; earlier it would begin a session.
  func press() async {
    await reach("live")
    await trigger(.shutter, source: "test")
  }

  func accept() async {
    // An accept counts once the review has been shown for 0.8 s.
    await pause(while: { await !trigger(.accept, source: "test").isAccepted })
  }
}
