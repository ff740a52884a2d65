import Platform

/// Who has a device open, as far as this user may see.
struct DeviceHolders {
  let system: any SystemCalls

  /// The name and the number of a process that has `path` open; nil when none can be seen.
  func holder(of path: String) -> String? {
    guard case .success(let processes) = system.entries("/proc") else { return nil }
    for process in processes where process.allSatisfy({ $0.isASCII && $0.isNumber }) {
      // Other users' processes do not let themselves be looked into; kept short by that.
      guard case .success(let files) = system.entries("/proc/\(process)/fd") else { continue }
      for file in files {
        guard case .success(let target) = system.readlink("/proc/\(process)/fd/\(file)"),
          target == path
        else { continue }
        let name = system.line("/proc/\(process)/comm") ?? "a program"
        if isSelf(process) { continue }
        return "\(name) (process \(process))"
      }
    }
    return nil
  }

  private func isSelf(_ process: String) -> Bool {
    if case .success(let own) = system.readlink("/proc/self") { own == process } else { false }
  }
}
