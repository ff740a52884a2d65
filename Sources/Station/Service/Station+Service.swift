import Capture
import ImagePicker
import PhotoLibrary
import Platform
import Synchronization

extension Station {
  /// The maximum time of one job of the saver, whose sync of a card may be slow.
  static let saverPatience = Duration.seconds(60)
  /// The maximum time of one job of the web server's loop.
  static let pagePatience = Duration.seconds(15)
  /// The maximum time of a step of the capture thread, such as a driver's call to a hanging camera.
  static let capturePatience = Duration.seconds(30)
  /// The maximum time of a job that reads several disks, each with a limit of its own.
  static let lookPatience = Duration.seconds(180)
  /// The maximum time of a job of the catalog's thread, such as a large movie's checksum.
  static let keeperPatience = Duration.seconds(300)
  /// The maximum delay of the loop that ends all waits.
  static let deadlinePatience = Duration.seconds(15)

  /// Creates the reporter, so that parts can be watched from the start; it reports nothing yet.
  func prepareReporting() {
    guard let manager = options.manager else { return }
    let reporter = ServiceReporter(manager, loop: loop, system: system) { [weak self] in
      self?.serviceStatus ?? ""
    }
    reporter.watch("saver", patience: Station.saverPatience) { [weak self] answer in
      self?.worker.submit(answer)
    }
    let steps = Steps()
    reporter.watch("capture", patience: Station.capturePatience) { [weak self] answer in
      self?.askCapture(steps, answer)
    }
    reporter.watch("page", patience: Station.pagePatience) { [weak self] answer in
      guard let web = self?.page.current.server else { return answer() }
      web.ping(answer)
    }
    watchHelpers(reporter)
    self.reporter.publish(reporter)
  }

  /// Watches every other thread, too.
  ///
  /// The threads of ``media`` are not watched. A thread that hangs in a stick is replaced and shown
  /// in the status, since it is no reason to restart a booth.
  private func watchHelpers(_ reporter: ServiceReporter) {
    let loops: [(String, Duration, @Sendable (Station) -> EventLoop?)] = [
      ("reader", Station.lookPatience, { $0.reader }),
      ("looker", Station.lookPatience, { $0.looker }),
      ("deadlines", Station.deadlinePatience, { _ in AbandonableWorker.deadlines }),
    ]
    for (name, patience, loop) in loops {
      reporter.watch(name, patience: patience) { [weak self] answer in
        guard let loop = self.flatMap(loop) else { return answer() }
        loop.submit(answer)
      }
    }
    for name in ["web-view", "web-files", "web-pictures"] {
      reporter.watch(name, patience: Station.lookPatience) { [weak self] answer in
        let threads = self?.page.current.server?.threads ?? []
        guard let thread = threads.first(where: { $0.name == name }) else { return answer() }
        thread.loop.submit(answer)
      }
    }
    reporter.watch("movies", patience: Station.saverPatience) { [weak self] answer in
      guard let self else { return answer() }
      movies.ping(answer)
    }
    reporter.watch("keeper", patience: Station.keeperPatience) { [weak self] answer in
      guard let keeper = self?.library.open.keeper else { return answer() }
      keeper.ping(answer)
    }
  }

  /// Reports that the station is ready, and from then on its status and signs of life.
  func startReporting() {
    guard let reporter = reporter.current else { return }
    loop.submit { reporter.begin() }
  }

  /// Answers for the capture thread as soon as it has made a step since the last question.
  private func askCapture(_ last: Steps, _ answer: @escaping @Sendable () -> Void) {
    // No camera is open, so there is no thread that could hang.
    guard let camera = camera.current.camera, camera.state != .stopped else {
      return answer()
    }
    let steps = camera.steps
    guard last.value.exchange(steps, ordering: .relaxed) == steps else { return answer() }
    loop.schedule(at: system.monotonicTime() + .milliseconds(500)) { [weak self] in
      self?.askCapture(last, answer)
    }
  }

  private final class Steps: Sendable {
    let value = Atomic<UInt64>(.max)
  }

  /// Makes the station's sign of life depend on another part, such as a web server's loop.
  ///
  /// The station's loop calls `question` every few seconds. The part calls the closure it receives,
  /// from any thread, to show that it lives. Does nothing when no service manager watches the
  /// station.
  public func watch(
    _ name: String, patience: Duration,
    question: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
  ) {
    reporter.current?.watch(name, patience: patience, question: question)
  }

  /// Whether a service manager watches the station.
  public var isManaged: Bool { options.manager != nil }

  /// The camera, the number of photos and the present faults, in a few words.
  var serviceStatus: String {
    let (source, settings) = (camera.current, settings.current)
    let storage = library.current.storage
    var words: [String] = []
    if let problem = settings.problem {
      words.append("the configuration is wrong, nothing works until it is corrected: \(problem)")
    }
    if let problem = settings.refused {
      words.append("the new configuration was refused, the one before it is in use: \(problem)")
    }
    if let camera = source.camera {
      let name = source.name
      if camera.state == .streaming {
        let mode = camera.granted.map { ", \($0)" } ?? ""
        words.append("\(name) is streaming\(mode)")
      } else {
        words.append("camera \(name): \(camera.state)")
      }
    } else if settings.problem == nil {
      words.append("no camera")
    }
    let photos = core.view.current.tally.photos
    words.append(
      "\(photos == 0 ? "no" : "\(photos)") photo\(photos == 1 ? "" : "s") since the start")
    if storage.reason != nil { words.append("library: \(storage.state)") }
    words += media.silent.map { "the disk of \($0.path) does not answer" }
    return words.joined(separator: "; ")
  }

  /// The status of the service.
  var serviceReport: ServiceReport {
    let reporter = reporter.current
    let page = lastPageHeartbeat
    var report = ServiceReport()
    report.isManaged = options.manager != nil
    report.watchdogSeconds = options.manager?.patience.map { Double($0.nanoseconds) / 1e9 }
    report.silentMilliseconds = (reporter?.ages ?? [:]).mapValues { Int($0.milliseconds) }
    report.pageSilentMilliseconds = page.map { Int((system.monotonicTime() - $0).milliseconds) }
    return report
  }
}

/// The status of the station as a service.
public struct ServiceReport: Equatable, Sendable, Encodable {
  /// Whether a service manager watches the station.
  public var isManaged = false
  /// The time after which a missing sign of life makes the manager restart the station, or `nil`.
  public var watchdogSeconds: Double?
  /// The time for which each part has shown no sign of life.
  ///
  /// Unit: milliseconds.
  public var silentMilliseconds: [String: Int] = [:]
  /// The time for which the kiosk's page has shown no sign of life, or `nil` when it never did.
  ///
  /// Unit: milliseconds.
  public var pageSilentMilliseconds: Int?
}
