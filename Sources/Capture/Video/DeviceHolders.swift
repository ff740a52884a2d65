import Platform

/// Who has a device open, as far as this user may see.
///
/// A camera that is busy is tried again and again, so an answer holds for a while, and a search is
/// bounded. One thread at a time.
final class DeviceHolders {
  /// How long an answer holds.
  static let freshness = Duration.seconds(2)
  /// How many files are looked at, and for how long, until the search is given up.
  static let mostFiles = 20_000
  static let patience = Duration.milliseconds(100)

  let system: any SystemCalls
  private var last: (path: String, process: String?, text: String?, time: MonotonicTime)?

  init(system: any SystemCalls) { self.system = system }

  /// The name and the number of a process that has `path` open; nil when none can be seen.
  func holder(of path: String) -> String? {
    let now = system.monotonicTime()
    if let last, last.path == path, now - last.time < DeviceHolders.freshness { return last.text }
    let before = last.flatMap { $0.path == path ? $0.process : nil }
    let process = search(path, first: before, deadline: now + DeviceHolders.patience)
    let text = process.map { process in
      "\(system.line("/proc/\(process)/comm") ?? "a program") (process \(process))"
    }
    last = (path, process, text, now)
    return text
  }

  private func search(_ path: String, first: String?, deadline: MonotonicTime) -> String? {
    var files = 0
    if let first, has(path, first, &files) { return first }
    guard case .success(let names) = system.entries("/proc") else { return nil }
    var own: String?
    if case .success(let name) = system.readlink("/proc/self") { own = name }
    for process in names where process != own {
      guard process.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
      if has(path, process, &files) { return process }
      if files > DeviceHolders.mostFiles || system.monotonicTime() > deadline { return nil }
    }
    return nil
  }

  private func has(_ path: String, _ process: String, _ files: inout Int) -> Bool {
    files += 1
    // Other users' processes do not let themselves be looked into; kept short by that.
    guard case .success(let names) = system.entries("/proc/\(process)/fd") else { return false }
    for name in names {
      files += 1
      if files > DeviceHolders.mostFiles { return false }
      if case .success(let target) = system.readlink("/proc/\(process)/fd/\(name)"), target == path
      {
        return true
      }
    }
    return false
  }
}
