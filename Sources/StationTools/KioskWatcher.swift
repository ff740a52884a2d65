import FoundationEssentials
import Glibc
import Platform
import Station

/// Runs the kiosk's browser, and beats for it while its page does.
///
/// The page tells the station that it lives; this asks the station. A page that was silent for too
/// long gets no beat, and the service manager starts the browser anew. While the station itself does
/// not answer, the browser is not to blame.
public struct KioskWatcher: Sendable {
  /// What the station says of the page.
  public struct Answer: Equatable, Sendable {
    /// For how long the page has been silent; nil: it never showed a sign of life.
    public var silence: Duration?

    /// Reads it from the station's status.
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

    /// Makes one.
    public init(silence: Duration?) { self.silence = silence }
  }

  /// A page that is silent for longer than this is not beaten for.
  public static let patience = Duration.seconds(20)
  /// How long a browser may take to show the page for the first time; small cards are slow.
  public static let startPatience = Duration.seconds(120)

  private let manager: ServiceManager?
  private let ask: @Sendable () -> Answer?

  /// Makes one that asks the station by `ask`; nil of it: the station does not answer.
  public init(manager: ServiceManager?, ask: @escaping @Sendable () -> Answer?) {
    self.manager = manager
    self.ask = ask
  }

  /// Whether the browser counts as living.
  static func isAlive(_ answer: Answer?, sinceStart: Duration) -> Bool {
    guard let answer else { return true }
    guard let silence = answer.silence else { return sinceStart <= startPatience }
    if silence <= patience { return true }
    // A sign of life of before the start was another browser's: this one has shown none yet.
    return silence >= sinceStart && sinceStart <= startPatience
  }

  /// Starts the program and blocks until it ends.
  ///
  /// - Returns: Its exit status, or 128 and the signal that ended it.
  public func run(_ words: [String]) throws(StationError) -> Int32 {
    Interruption.watch()
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, words[0], nil, nil, &arguments, environ)
    guard failure == 0 else {
      throw StationError(
        .system,
        "\(words[0]) cannot be started: \(SystemError(errno: failure, call: "posix_spawn").reason)")
    }
    manager?.isReady("the browser is starting")
    let start = LinuxSystemCalls().monotonicTime()
    var isTold = false
    var shown = ""
    while true {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
      }
      if Interruption.isWanted, !isTold {
        isTold = true
        manager?.isStopping()
        kill(process, SIGTERM)
      }
      let answer = ask()
      let age = LinuxSystemCalls().monotonicTime() - start
      if KioskWatcher.isAlive(answer, sinceStart: age) { manager?.beat() }
      let words = KioskWatcher.words(answer)
      if words != shown, !isTold { manager?.show(words) }
      shown = words
      // In short naps: the browser's end and a wish to stop are seen soon.
      for _ in 0..<20 {
        usleep(100_000)
        if Interruption.isWanted != isTold || KioskWatcher.hasEnded(process) { break }
      }
    }
  }

  private static func hasEnded(_ process: pid_t) -> Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo == SIGCHLD
  }

  static func words(_ answer: Answer?) -> String {
    guard let answer else { return "the station does not answer" }
    guard let silence = answer.silence else { return "the page has not shown a sign of life yet" }
    return silence <= patience
      ? "the page is alive"
      : "the page has been silent for \(silence.nanoseconds / 1_000_000_000) s"
  }
}
