import Platform

/// A search for the processes that have a device open, as far as this user may see.
///
/// The capture loop keeps trying to open a busy camera, so an answer is cached for a while and each
/// search is bounded. Only one thread at a time may use the object.
final class DeviceHolders {
  /// The time for which an answer is cached.
  static let freshness = Duration.seconds(2)
  /// The maximum number of files in a search; `patience` is its maximum time.
  static let mostFiles = 20_000
  static let patience = Duration.milliseconds(100)

  let system: any SystemCalls
  private var last: (path: String, process: String?, text: String?, time: MonotonicTime)?

  init(system: any SystemCalls) { self.system = system }

  /// Returns the name and the number of a process that has `path` open, or nil if none can be seen.
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
    // The open files of other users' processes cannot be read.
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
