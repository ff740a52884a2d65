import Capture
import ImagePicker
import PhotoLibrary
import Platform
import Synchronization

extension Station {
  /// How long the saver may be with one job: a card's sync can take its time.
  static let saverPatience = Duration.seconds(60)
  /// How long the web server's loop may take for what it is doing.
  static let pagePatience = Duration.seconds(15)
  /// How long a step of the capture thread may take: a driver's call to a camera that hangs.
  static let capturePatience = Duration.seconds(30)
  /// How long a thread may be with one job that asks several disks, of which each has its own limit.
  static let lookPatience = Duration.seconds(180)
  /// How long the catalog's thread may be with one job: a large movie's checksum on a slow card.
  static let keeperPatience = Duration.seconds(300)
  /// How long the loop that ends all waits may take.
  static let deadlinePatience = Duration.seconds(15)

  /// Makes the reporter, so that parts can be watched from the start; it says nothing yet.
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

  /// Has every other thread asked, too.
  ///
  /// Not those of ``media``: one that hangs in a stick is replaced, and told in the status. A booth is
  /// not ended for it.
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

  /// Says that the station is ready, and from then on how it stands and that it lives.
  func startReporting() {
    guard let reporter = reporter.current else { return }
    loop.submit { reporter.begin() }
  }

  /// Answers for the capture thread once it has made a step since the last time.
  private func askCapture(_ last: Steps, _ answer: @escaping @Sendable () -> Void) {
    // No camera is open: there is no thread that could hang.
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

  /// Has the station's sign of life depend on another part, such as the web server's loop.
  ///
  /// `question` is asked every few seconds, on the station's loop; the part calls its closure, from
  /// any thread, to show that it lives. Does nothing where no service manager watches.
  public func watch(
    _ name: String, patience: Duration,
    question: @escaping @Sendable (_ answer: @escaping @Sendable () -> Void) -> Void
  ) {
    reporter.current?.watch(name, patience: patience, question: question)
  }

  /// Whether a service manager hears of it.
  public var isManaged: Bool { options.manager != nil }

  /// Camera, rate, photos and what is wrong, in a few words.
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

  /// How the service stands, for the status.
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

/// How the station stands as a service, for the status.
public struct ServiceReport: Equatable, Sendable, Encodable {
  /// Whether a service manager hears of it.
  public var isManaged = false
  /// How long that waits for a sign of life before it starts the station anew; nil: it does not.
  public var watchdogSeconds: Double?
  /// For how long each part has shown no sign of life.
  public var silentMilliseconds: [String: Int] = [:]
  /// For how long the kiosk's page has shown none; nil: it never did.
  public var pageSilentMilliseconds: Int?
}
