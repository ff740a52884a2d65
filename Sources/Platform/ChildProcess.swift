import CLinux
import Glibc
import Synchronization

/// The single owner of a program that this process started.
///
/// The owner reaps the process exactly once, so its number is never another process's. An owner
/// that ends first kills its program. ``descriptor`` becomes readable when the program ends, for an
/// ``EventLoop`` or `poll(2)`. Source: pidfd_open(2).
public struct ChildProcess: ~Copyable, Sendable {
  /// The way in which a program ended.
  public enum End: Hashable, Sendable {
    /// The program returned this status.
    case exited(Int32)
    /// This signal ended the program.
    case killed(signal: Int32)

    /// The status as a shell reports it: 128 plus the signal for a killed program.
    public var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  /// The number of the process.
  public let number: pid_t
  private let death: Descriptor
  private var end: End?

  /// Starts a program, which `PATH` is searched for.
  ///
  /// The program gets the standard streams and the descriptors in `files`, no others. Its signals
  /// have their default actions, and none is blocked. Blocks until the program is loaded.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - files: Open descriptors, and their numbers in the program. The caller keeps its own.
  ///   - environment: The environment as `NAME=value`; nil for that of this process.
  ///   - system: The system calls for the process's descriptor.
  /// - Throws: The error of `posix_spawn(3)`, or of a call that prepares it.
  public init(
    _ words: [String], files: [(descriptor: Int32, number: Int32)] = [],
    environment: [String]? = nil, system: any SystemCalls = LinuxSystemCalls()
  ) throws(SystemError) {
    ChildProcess.reapLeftovers()
    let number = try ChildProcess.spawn(words, files, environment)
    let death = system.processDescriptor(number)
    guard death >= 0 else {
      ChildProcess.leave(number)
      throw SystemError(errno: 0 - death, call: "pidfd_open", path: words.first)
    }
    self.number = number
    self.death = Descriptor(owning: death, system: system)
  }

  /// A descriptor that is readable from the program's end on, valid while the owner lives.
  public var descriptor: Int32 { death.number }

  /// Sends a signal; a program that has ended gets none.
  public func send(_ signal: Int32) {
    if end == nil { kill(number, signal) }
  }

  /// Returns the end of the program, or nil while it runs; does not block.
  public mutating func reap() -> End? {
    if end == nil { end = ChildProcess.reap(number) }
    return end
  }

  /// Blocks until the program has ended.
  public mutating func wait() -> End {
    while true {
      if let end = wait(until: nil) { return end }
    }
  }

  /// Blocks until the program has ended or the deadline has passed; returns nil while it runs.
  public mutating func wait(until deadline: MonotonicTime) -> End? {
    wait(until: Optional(deadline))
  }

  private mutating func wait(until deadline: MonotonicTime?) -> End? {
    _ = death.isReadable(until: deadline)
    return reap()
  }

  deinit {
    if end == nil { ChildProcess.leave(number) }
  }

  // MARK: - Reaping

  // Programs that were killed and had not ended yet. A program that waits for a device in the
  // kernel ends later, and its owner must not wait for that.
  private static let leftovers = Mutex<[pid_t]>([])

  private static func leave(_ number: pid_t) {
    kill(number, SIGKILL)
    if reap(number) == nil { leftovers.withLock { $0.append(number) } }
  }

  private static func reapLeftovers() {
    leftovers.withLock { $0.removeAll { reap($0) != nil } }
  }

  private static func reap(_ number: pid_t) -> End? {
    var status: Int32 = 0
    while true {
      let result = waitpid(number, &status, WNOHANG)
      if result == 0 { return nil }
      if result == number {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
      }
      // Where SIGCHLD is ignored, the kernel reaps the process and tells no status.
      guard Glibc.errno == EINTR else { return .killed(signal: 0) }
    }
  }

  // MARK: - Starting

  private static func spawn(
    _ words: [String], _ files: [(descriptor: Int32, number: Int32)], _ environment: [String]?
  ) throws(SystemError) -> pid_t {
    guard let program = words.first else {
      throw SystemError(errno: Errno.invalid, call: "posix_spawn")
    }
    func check(_ failure: Int32) throws(SystemError) {
      guard failure == 0 else {
        throw SystemError(errno: failure, call: "posix_spawn", path: program)
      }
    }
    // A copy above all wanted numbers is not overwritten by the descriptor of an earlier pair.
    let floor = (files.map(\.number).max() ?? 0) + 3
    var copies: [Int32] = []
    defer { copies.forEach { close($0) } }
    for file in files {
      let copy = clinux_fcntl(file.descriptor, F_DUPFD_CLOEXEC, Int(floor))
      guard copy >= 0 else { throw SystemError(errno: Glibc.errno, call: "dup", path: program) }
      copies.append(copy)
    }
    var actions = posix_spawn_file_actions_t()
    try check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (file, copy) in zip(files, copies) {
      try check(posix_spawn_file_actions_adddup2(&actions, copy, file.number))
    }
    var attributes = posix_spawnattr_t()
    try check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    try check(posix_spawnattr_setsigmask(&attributes, &signals))
    sigfillset(&signals)
    try check(posix_spawnattr_setsigdefault(&attributes, &signals))
    try check(
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)))
    var arguments = words.map { strdup($0) } + [nil]
    var variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var number = pid_t()
    let failure =
      environment == nil
      ? posix_spawnp(&number, program, &actions, &attributes, &arguments, environ)
      : posix_spawnp(&number, program, &actions, &attributes, &arguments, &variables)
    try check(failure)
    return number
  }
}

extension EventLoop {
  /// Calls `handler` once, when the program has ended or had ended already.
  ///
  /// The caller keeps the owner until then, or cancels the watch first.
  @discardableResult
  public func watch(
    _ child: borrowing ChildProcess, _ handler: @escaping @Sendable () -> Void
  ) -> Token {
    watchOnce(child.descriptor) { _ in handler() }
  }

  /// Returns when the program has ended; the loop must not be stopped before.
  public func waitForEnd(of child: borrowing ChildProcess) async {
    let descriptor = child.descriptor
    await withCheckedContinuation { continuation in
      watchOnce(descriptor) { _ in continuation.resume() }
    }
  }
}
