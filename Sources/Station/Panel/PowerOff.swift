import Glibc
import Platform

/// The power-off of the machine.
enum PowerOff {
  /// Asks systemd for a power-off; blocks until systemd has accepted the request.
  static func request() throws(SystemError) {
    let words = ["systemctl", "--no-ask-password", "poweroff"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, words[0], nil, nil, &arguments, environ)
    guard failure == 0 else {
      throw SystemError(errno: failure, call: "posix_spawn", path: words[0])
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw SystemError(errno: errno, call: "waitpid") }
    }
    // systemctl writes the reason to standard error.
    guard status == 0 else { throw SystemError(errno: EPERM, call: "systemctl poweroff") }
  }
}
