import Capture
import ImagePicker
import Imaging
import KioskServer
import PhotoLibrary
import Platform
import Shots
import StationConfiguration
import Trigger

extension WebStation {
  /// The maximum time that a test shot waits for a clean frame.
  private static let testPatience = Duration.seconds(4)
  /// The time between the answer to a restart and the end of the page's server.
  private static let farewell = Duration.milliseconds(300)

  func testShot() throws(KioskProblem) -> [UInt8] {
    guard let station else { throw Self.ended }
    guard let camera, camera.state == .streaming else {
      throw KioskProblem(503, "the camera gives no pictures", fix: "see the check 'camera'")
    }
    let chooser = FrameChooser(camera, system: station.system, patience: Self.testPatience)
    do throws(StillError) {
      let (made, _) = try chooser.still(
        nearest: station.system.monotonicTime(), from: camera, by: StillWorker(),
        station.configuration.orientation, software: Retake.software)
      return made.still.bytes()
    } catch {
      throw KioskProblem(
        503, "no clean picture came in time",
        fix: error.operatorMessage)
    }
  }

  func startAlbum(_ name: String?) throws(KioskProblem) -> String {
    guard let station else { throw Self.ended }
    do throws(StationError) {
      return try station.startAlbum(name)
    } catch {
      throw KioskProblem(
        error.code == .configuration ? 400 : 503, "the album cannot be started",
        fix: error.operatorMessage)
    }
  }

  func restart() throws(KioskProblem) {
    guard let station else { throw Self.ended }
    guard station.isManaged else {
      throw KioskProblem(
        409, "no service manager would start the station again",
        fix: "run it as a service: sudo systemctl enable --now retake")
    }
    let quit = TriggerEvent(
      action: .quit, time: station.system.monotonicTime(), clock: .arrival, source: "page")
    station.loop.schedule(at: station.system.monotonicTime() + Self.farewell) {
      [weak station] in station?.handle(quit) { _ in }
    }
  }
}

extension Station {
  /// Starts an album; `nil` starts the next album by number.
  ///
  /// Photos go to the album from the next session on. Blocks on the library's disk.
  func startAlbum(_ name: String?) throws(StationError) -> String {
    let known = settings.current
    let now = known.next ?? known.configuration
    if let problem = known.problem { throw StationError(.configuration, problem) }
    let (root, system) = (now.libraryPath, system)
    let started: Result<String, LibraryError>
    do throws(MediumSilence) {
      started = try media.worker("files", for: root).run(media.reading) { _ in
        do throws(LibraryError) {
          let taken = name == nil ? try PhotoLibrary.albums(root: root, system: system) : []
          let album = name ?? CurrentAlbum.next(after: now.album, taken: taken)
          try CurrentAlbum.start(
            album, configured: now.configuredAlbum ?? now.album, root: root, system: system)
          return .success(album)
        } catch {
          return .failure(error)
        }
      }
    } catch {
      throw StationError(LibraryError(error))
    }
    let album: String
    do {
      album = try started.get()
    } catch {
      throw StationError(error)
    }
    var next = now
    next.album = now.configuredAlbum ?? now.album
    next.configuredAlbum = nil
    let proposed = next.withStartedAlbum
    core.perform { [weak self] core in
      self?.settings.assumeIsolated { $0.propose(proposed) }
      if case .idle = core.machine.state { self?.applyNextConfiguration() }
    }
    log.notice("photos go to the album \(album)")
    return album
  }
}
