import Glibc
import Platform
import Testing

@testable import PhotoLibrary

/// Times on the disk of `RETAKE_BENCH_DIRECTORY`, by default /var/tmp.
///
/// A few rounds show that it works; `RETAKE_BENCH=1` makes it a measurement.
struct LibraryBenchmark {
  @Test("accept against a plain write")
  func accept() throws {
    let directory = getenv("RETAKE_BENCH_DIRECTORY").map { String(cString: $0) } ?? "/var/tmp"
    let sandbox = try Sandbox(below: directory)
    let system = LinuxSystemCalls()
    let library = try PhotoLibrary(configuration: sandbox.configuration(), system: system)
    let bytes = still(1, count: 600_000)
    let clock = ContinuousClock()
    var times: [String: [Duration]] = [:]
    let rounds = getenv("RETAKE_BENCH") == nil ? 3 : 200
    for index in 0..<rounds {
      let start = clock.now
      let candidate = try library.prepare(bytes)
      let prepared = clock.now
      _ = try library.commit(candidate)
      let done = clock.now
      times["prepare", default: []].append(prepared - start)
      times["commit", default: []].append(done - prepared)
      try plain(bytes, index, sandbox, system)
      times["plain", default: []].append(clock.now - done)
    }
    for (name, durations) in times.sorted(by: { $0.key < $1.key }) {
      let sorted = durations.sorted()
      print(
        "library \(name): p50 \(sorted[sorted.count / 2]), p99 \(sorted[sorted.count * 99 / 100])")
    }
  }

  private func plain(
    _ bytes: [UInt8], _ index: Int, _ sandbox: Sandbox, _ system: LinuxSystemCalls
  ) throws {
    let folder = try Descriptor(opening: sandbox.album, flags: O_DIRECTORY, system: system)
    let file = try Descriptor(
      opening: "\(sandbox.album)/plain.part", flags: O_WRONLY | O_CREAT, mode: 0o644,
      system: system)
    try system.check(bytes.withUnsafeBytes { system.write(file.number, $0) }, "write")
    try system.check(system.fsync(file.number), "fsync")
    try system.check(system.rename(folder.number, "plain.part", "plain\(index).jpg"), "rename")
    try system.check(system.fsync(folder.number), "fsync")
  }
}
