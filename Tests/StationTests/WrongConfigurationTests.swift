import FoundationEssentials
import Testing

@testable import Station

@Suite("A wrong configuration") struct WrongConfigurationTests {
  @Test("that a program made is refused before anything is opened")
  func refusedBeforeAnythingIsOpened() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "retake-check-\(UInt32.random(in: 0 ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = Configuration()
    configuration.libraryPath = folder.path + "/photos"
    configuration.camera.device = "demo"
    configuration.web.listen = .init(host: "0.0.0.0", port: 8080)
    var options = Station.Options()
    options.usesSocket = false
    options.usesPanel = false
    options.usesWeb = true
    let station = try Station(configuration: configuration, options: options)
    do throws(StationError) {
      try await station.startForTest()
      Issue.record("it started")
    } catch {
      #expect(error.code == .configuration)
      #expect(error.message.contains("'web.token'"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(station.cameraDescription == "no camera")
  }
}
