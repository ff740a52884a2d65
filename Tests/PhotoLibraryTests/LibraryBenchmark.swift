import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Times on the disk of `RETAKE_BENCH_DIRECTORY`, by default /var/tmp; `scripts/bench library`.
///
/// By default a few rounds show that it works; with `RETAKE_BENCH=1` it measures.
@Suite(.serialized)
struct LibraryBenchmark {
  private static let isMeasurement = getenv("RETAKE_BENCH") != nil
  private static let directory =
    getenv("RETAKE_BENCH_DIRECTORY").map { String(cString: $0) } ?? "/var/tmp"
  private static let manyPhotos =
    getenv("RETAKE_BENCH_PHOTOS").flatMap { Int(String(cString: $0)) } ?? 100_000

  private func report(_ name: String, _ value: Double, _ unit: String) {
    let rounded = (value * 1000).rounded() / 1000
    print("bench \(name)\t\(rounded)\t\(unit)")
  }

  private func milliseconds(_ duration: Duration) -> Double {
    Double(duration.nanoseconds) / 1e6
  }

  /// System calls that measure the time of syncs.
  private final class TimedSyncs: ForwardingSystemCalls, @unchecked Sendable {
    private let clock = ContinuousClock()
    var time = Duration.zero

    private func timed(_ call: () -> Int32) -> Int32 {
      let start = clock.now
      defer { time += clock.now - start }
      return call()
    }

    override func fsync(_ fd: Int32) -> Int32 { timed { base.fsync(fd) } }
    override func fdatasync(_ fd: Int32) -> Int32 { timed { base.fdatasync(fd) } }
  }

  // MARK: - Saving

  @Test("accept against a plain write")
  func accept() throws {
    let sandbox = try Sandbox(below: LibraryBenchmark.directory)
    let system = TimedSyncs()
    let library = try PhotoLibrary(configuration: sandbox.configuration(), system: system)
    let bytes = still(1, count: 600_000)
    let clock = ContinuousClock()
    var times: [String: [Double]] = [:]
    var (commits, syncs) = (0.0, 0.0)
    for index in 0..<(LibraryBenchmark.isMeasurement ? 200 : 3) {
      let start = clock.now
      let candidate = try library.prepare(bytes)
      let prepared = clock.now
      system.time = .zero
      _ = try library.commit(candidate)
      let done = clock.now
      syncs += milliseconds(system.time)
      commits += milliseconds(done - prepared)
      times["prepare, while the guest looks", default: []].append(milliseconds(prepared - start))
      times["accept", default: []].append(milliseconds(done - prepared))
      try plain(bytes, index, sandbox, LinuxSystemCalls())
      times["plain write, fsync, rename, fsync", default: []].append(milliseconds(clock.now - done))
    }
    var medians: [String: Double] = [:]
    for (name, values) in times.sorted(by: { $0.key < $1.key }) {
      let sorted = values.sorted()
      medians[name] = sorted[sorted.count / 2]
      report("\(name), p50", sorted[sorted.count / 2], "ms")
      report("\(name), p99", sorted[sorted.count * 99 / 100], "ms")
    }
    report("accept: share that is sync", syncs / max(commits, 1e-9) * 100, "%")
    let plain = medians["plain write, fsync, rename, fsync"] ?? 0
    report("accept: times faster than plain", plain / max(medians["accept"] ?? 0, 1e-9), "x")
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

  // MARK: - Listing

  @Test("start, a page of the list, and a rebuild, with few and many photos")
  func listing() throws {
    let counts =
      LibraryBenchmark.isMeasurement ? [1000, LibraryBenchmark.manyPhotos] : [20, 200]
    var memory: [Double] = []
    for count in counts { memory.append(try listing(count)) }
    report("memory of a start, few photos", memory[0], "MB")
    report("memory of a start, many photos", memory[1], "MB")
  }

  @Test("what guests look through: the first look, pages near and far, and one more photo")
  func browsing() throws {
    let count = LibraryBenchmark.isMeasurement ? LibraryBenchmark.manyPhotos : 2000
    let sandbox = try Sandbox(below: LibraryBenchmark.directory)
    do { _ = try sandbox.open() }
    let bytes = HeaderTests.jpeg(thumbnail: still(1, count: 6000), isBig: true)
    // As many pictures from elsewhere as own ones, in many albums.
    for number in 1...count / 2 {
      try Sandbox.write(bytes, to: "\(sandbox.album)/\(PhotoName.name(number))")
      let album = "\(sandbox.root)/album\(number % 50)"
      if number <= 50 { mkdir(album, 0o755) }
      try Sandbox.write(bytes, to: "\(album)/DSC\(number).JPG")
    }
    let browser = PhotoBrowser(
      configuration: BrowserConfiguration(root: sandbox.root, album: "party"))
    let clock = ContinuousClock()
    let before = resident()
    var start = clock.now
    #expect(browser.page().count == count / 2 * 2)
    report("first look at \(count) pictures", milliseconds(clock.now - start), "ms")
    report("memory of the index", max(0, resident() - before), "MB")
    var times: [Double] = []
    var cursor: BrowserCursor?
    var seen = 0
    repeat {
      start = clock.now
      let page = browser.page(before: cursor)
      times.append(milliseconds(clock.now - start))
      seen += page.items.count
      cursor = page.next
    } while cursor != nil && seen < 20_000
    #expect(seen == min(count / 2 * 2, 20_000))
    times.sort()
    report("a page of 50, in the middle", times[times.count / 2], "ms")
    report("a page of 50, the slowest", times.last ?? 0, "ms")
    try Sandbox.write(bytes, to: "\(sandbox.album)/\(PhotoName.name(count))")
    start = clock.now
    browser.refresh()
    report("one more photo is noticed", milliseconds(clock.now - start), "ms")
    #expect(browser.page(limit: 1).items.first?.number == count)
    start = clock.now
    let item = try #require(browser.item("party/\(PhotoName.name(1))"))
    _ = try browser.thumbnail(of: item.id)
    report("a thumbnail for the first time", milliseconds(clock.now - start), "ms")
  }

  private func listing(_ count: Int) throws -> Double {
    let sandbox = try Sandbox(below: LibraryBenchmark.directory)
    do { _ = try sandbox.open() }
    // Small pictures with a thumbnail each: the time does not depend on what is never read.
    let bytes = HeaderTests.jpeg(thumbnail: still(1, count: 6000), isBig: true)
    for number in 1...count {
      try Sandbox.write(bytes, to: "\(sandbox.album)/\(PhotoName.name(number))")
    }
    let clock = ContinuousClock()
    var start = clock.now
    do {
      let catalog = try Catalog(root: sandbox.root)
      #expect(try catalog.synchronize(album: "party").added == count)
    }
    let rebuild = Double((clock.now - start).nanoseconds) / 1e9
    report("rebuild, \(count) photos", Double(count) / rebuild, "photos/s")
    let before = resident()
    start = clock.now
    let library = try PhotoLibrary(configuration: sandbox.configuration())
    let opened = clock.now
    let catalog = try Catalog(root: sandbox.root)
    #expect(try catalog.synchronize(album: "party").added == 0)
    let ready = clock.now
    report("start, \(count) photos: until it saves", milliseconds(opened - start), "ms")
    report("start, \(count) photos: until all is listed", milliseconds(ready - start), "ms")
    let used = max(0, resident() - before)
    var last: CatalogEntry?
    var pages: [Double] = []
    for _ in 0..<(count < 1000 ? 2 : 20) {
      start = clock.now
      let page = try catalog.page(album: "party", after: last)
      for entry in page { #expect(try catalog.thumbnail(entry)?.count == 6000) }
      pages.append(milliseconds(clock.now - start))
      last = page.last
    }
    report(
      "page of 50 with thumbnails, \(count) photos, p50", pages.sorted()[pages.count / 2], "ms")
    withExtendedLifetime(library) {}
    return used
  }

  // In megabytes.
  private func resident() -> Double {
    guard let text = try? Sandbox.read("/proc/self/statm") else { return 0 }
    let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Double(fields[1]) ?? 0) * Double(getpagesize()) / 1e6 : 0
  }
}
