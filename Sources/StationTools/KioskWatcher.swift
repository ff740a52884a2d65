import FoundationEssentials
import Glibc
import Platform
import Station

/// Runs the kiosk's browser, and sends its signs of life to the service manager.
///
/// The page tells the station that it lives, and the watcher asks the station. A page that was
/// silent for too long gets no sign of life, so the service manager restarts the browser. While the
/// station itself does not answer, the browser counts as living.
public struct KioskWatcher: Sendable {
  /// The station's answer about the page.
  public struct Answer: Equatable, Sendable {
    /// The time for which the page has been silent, or `nil` when it never showed a sign of life.
    public var silence: Duration?

    /// Reads the answer from the station's status.
    public init?(json: String) {
      struct Status: Decodable {
        struct Service: Decodable { var pageSilentMilliseconds: Int? }
        var service: Service?
      }
      guard let status = try? JSONDecoder().decode(Status.self, from: Data(json.utf8)) else {
        return nil
      }
      silence = status.service?.pageSilentMilliseconds.map { .milliseconds($0) }
    }

    /// Creates an answer.
    public init(silence: Duration?) { self.silence = silence }
  }

  /// The maximum silence of a living page.
  public static let patience = Duration.seconds(20)
  /// The maximum time from the browser's start to the page's first sign of life; slow cards need
  /// it.
  public static let startPatience = Duration.seconds(120)

  private let manager: ServiceManager?
  private let ask: @Sendable () -> Answer?

  /// Creates a watcher that asks the station by `ask`.
  ///
  /// `ask` returns `nil` when the station does not answer.
  public init(manager: ServiceManager?, ask: @escaping @Sendable () -> Answer?) {
    self.manager = manager
    self.ask = ask
  }

  /// Returns whether the browser counts as living.
  static func isAlive(_ answer: Answer?, sinceStart: Duration) -> Bool {
    guard let answer else { return true }
    guard let silence = answer.silence else { return sinceStart <= startPatience }
    if silence <= patience { return true }
    // A sign of life from before the start came from an earlier browser.
    return silence >= sinceStart && sinceStart <= startPatience
  }

  /// Starts the program and blocks until it ends.
  ///
  /// - Returns: The exit status of the program, or 128 plus the signal that ended it.
  public func run(_ words: [String]) throws(StationError) -> Int32 {
    Interruption.watch()
    let system = LinuxSystemCalls()
    var process: ChildProcess
    do throws(SystemError) {
      process = try ChildProcess(words, system: system)
    } catch {
      throw StationError(.system, "\(words[0]) cannot be started: \(error.reason)")
    }
    manager?.isReady("the browser is starting")
    let start = system.monotonicTime()
    var isTold = false
    var shown = ""
    while true {
      if let end = process.reap() { return end.status }
      if Interruption.isWanted, !isTold {
        isTold = true
        manager?.isStopping()
        process.send(SIGTERM)
      }
      let answer = ask()
      let age = system.monotonicTime() - start
      if KioskWatcher.isAlive(answer, sinceStart: age) { manager?.beat() }
      let words = KioskWatcher.words(answer)
      if words != shown, !isTold { manager?.show(words) }
      shown = words
      // The waits are short, so that an interruption is noticed soon.
      for _ in 0..<20 {
        if let end = process.wait(until: system.monotonicTime() + .milliseconds(100)) {
          return end.status
        }
        if Interruption.isWanted != isTold { break }
      }
    }
  }

  static func words(_ answer: Answer?) -> String {
    guard let answer else { return "the station does not answer" }
    guard let silence = answer.silence else { return "the page has not shown a sign of life yet" }
    return silence <= patience
      ? "the page is alive"
      : "the page has been silent for \(silence.nanoseconds / 1_000_000_000) s"
  }
}
