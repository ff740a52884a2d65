import Glibc
import Platform

/// The power-off of the machine.
enum PowerOff {
  /// Asks systemd for a power-off; blocks until systemd has accepted the request.
  static func request() throws(SystemError) {
    let words = ["systemctl", "--no-ask-password", "poweroff"]
    var process = try ChildProcess(words)
    let end = process.wait()
    // systemctl writes the reason to standard error.
    guard end == .exited(0) else { throw SystemError(errno: EPERM, call: "systemctl poweroff") }
  }
}
