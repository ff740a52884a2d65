import CLinux
import Glibc

/// A program that this process started, with the kernel's descriptor of it (`pidfd_open(2)`).
///
/// The value owns the process: one that still runs when the value ends is killed. One thread at a
/// time may use the value.
package struct ChildProcess: ~Copyable {
  /// The manner in which a program ended.
  package enum End: Equatable, Sendable {
    case exit(status: Int32)
    case signal(Int32)

    /// The status as a shell reports it: a signal counts as 128 plus its number.
    package var shellStatus: Int32 {
      switch self {
      case .exit(let status): status
      case .signal(let number): 128 + number
      }
    }
  }

  /// The destination of a program's output.
  package enum Output {
    /// Standard output and standard error stay as they are.
    case inherited
    /// Standard output goes to the open descriptor, standard error to `/dev/null`.
    case descriptor(Int32)
  }

  /// The number of the process.
  package let number: pid_t
  /// A descriptor that becomes readable when the process ends; the value owns it.
  package let descriptor: Int32
  private var end: End?

  /// Starts the program `words[0]`, which is looked for along `PATH`, with the other words as its
  /// arguments.
  ///
  /// The program starts with no signal blocked, and with `SIGPIPE` at its default.
  package static func start(
    _ words: [String], output: Output = .inherited
  ) throws(SystemError) -> ChildProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if case .descriptor(let number) = output {
      posix_spawn_file_actions_adddup2(&actions, number, STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (blocked, defaults) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    guard failure == 0 else {
      throw SystemError(errno: failure, call: "posix_spawn", path: words[0])
    }
    // An ended child keeps its number until its end is taken, so the descriptor is the child's.
    let descriptor = clinux_process_descriptor(process)
    guard descriptor >= 0 else {
      let reason = errno
      kill(process, SIGKILL)
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
      throw SystemError(errno: reason, call: "pidfd_open", path: words[0])
    }
    return ChildProcess(number: process, descriptor: descriptor)
  }

  private init(number: pid_t, descriptor: Int32) {
    (self.number, self.descriptor) = (number, descriptor)
    end = nil
  }

  deinit {
    if end == nil {
      kill(number, SIGKILL)
      // A killed process ends as soon as the kernel lets it; its end frees its number.
      while waitpid(number, nil, 0) < 0, errno == EINTR {}
    }
    close(descriptor)
  }

  /// Sends a signal, unless the process has ended.
  package func send(_ signal: Int32) {
    if end == nil { kill(number, signal) }
  }

  /// Waits for the end, for at most `limit`; returns `nil` while the process runs.
  package mutating func waitForEnd(within limit: Duration) throws(SystemError) -> End? {
    let deadline = LinuxSystemCalls().monotonicTime() + limit
    while true {
      if let end { return end }
      var (status, isSignal): (Int32, Bool) = (0, false)
      let taken = clinux_take_process_end(descriptor, &status, &isSignal)
      guard taken >= 0 else { throw SystemError(errno: errno, call: "waitid") }
      if taken > 0 {
        end = isSignal ? .signal(status) : .exit(status: status)
        continue
      }
      let left = (deadline - LinuxSystemCalls().monotonicTime()).nanoseconds
      guard left > 0 else { return nil }
      var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&wanted, 1, Int32(clamping: (left - 1) / 1_000_000 + 1))
    }
  }
}
