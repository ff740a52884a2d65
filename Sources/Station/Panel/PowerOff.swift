import Platform

/// The power-off of the machine.
enum PowerOff {
  /// The maximum time for systemd's answer.
  static let patience = Duration.seconds(20)

  /// Asks systemd for a power-off.
  ///
  /// Blocks until systemd has accepted the request, for at most ``patience``.
  static func request(
    _ words: [String] = ["systemctl", "--no-ask-password", "poweroff"],
    patience: Duration = PowerOff.patience
  ) throws(SystemError) {
    let call = words.joined(separator: " ")
    var process = try ChildProcess(words)
    guard let end = process.wait(until: MonotonicTime.now + patience) else {
      throw SystemError(errno: Errno.timedOut, call: call)
    }
    // systemctl writes the reason to standard error.
    guard end == .exited(0) else { throw SystemError(errno: Errno.notPermitted, call: call) }
  }
}
