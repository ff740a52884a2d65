import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests of files that are still being copied, files that other systems keep on sticks, and files
/// that cannot be shown.
@Suite struct ArrivingFileTests {
  private struct Shelf {
    let sandbox: Sandbox
    let clock = ManualClock()
    let system: FaultySystemCalls
    let browser: PhotoBrowser
    var stick: String { "\(sandbox.path)/stick" }

    init() throws {
      sandbox = try Sandbox()
      system = FaultySystemCalls(clock: clock)
      mkdir(sandbox.root, 0o755)
      mkdir(sandbox.album, 0o755)
      mkdir("\(sandbox.path)/stick", 0o755)
      browser = PhotoBrowser(
        configuration: BrowserConfiguration(
          root: sandbox.root, album: "party", roots: ["\(sandbox.path)/stick"]),
        system: system)
    }

    func put(_ name: String, _ bytes: [UInt8], age: Int = 0) throws {
      var folder = stick
      for part in name.split(separator: "/").dropLast() {
        folder += "/\(part)"
        mkdir(folder, 0o755)
      }
      try Sandbox.write(bytes, to: "\(stick)/\(name)")
      date(name, age: age)
    }

    func date(_ name: String, age: Int) {
      let time = timespec(tv_sec: Glibc.time(nil) - age, tv_nsec: Int.random(in: 0..<1000))
      utimensat(AT_FDCWD, "\(stick)/\(name)", [time, time], 0)
    }

    /// What is offered after some seconds in which a page asked again and again.
    func names(after seconds: Int) -> [String] {
      for _ in 0..<seconds {
        clock.advance(by: .seconds(1) + .milliseconds(1))
        _ = browser.page()
      }
      return browser.page().items.map(\.name).sorted()
    }
  }

  private static let whole: [UInt8] =
    [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 1000) + [0xFF, 0xD9]

  @Test("offers a new file at once if it is whole, and one that grows when it is whole")
  func growing() throws {
    let shelf = try Shelf()
    try shelf.put("whole.jpg", Self.whole)
    try shelf.put("padded.jpg", Self.whole + [0, 0, 0])
    try shelf.put("old.jpg", Array(Self.whole.prefix(500)), age: 4000)
    try shelf.put("empty.jpg", [])
    try shelf.put("half.jpg", Array(Self.whole.prefix(500)))
    try shelf.put("IMG_00000007.jpg", Array(Self.whole.prefix(500)))
    #expect(shelf.names(after: 1) == ["old.jpg", "padded.jpg", "whole.jpg"])
    #expect(shelf.browser.isGrowing(".1/half.jpg"))
    #expect(shelf.browser.isGrowing("\(shelf.stick)/IMG_00000007.jpg"))
    #expect(!shelf.browser.isGrowing(".1/whole.jpg") && !shelf.browser.isGrowing(".1/none.jpg"))
    // The file grows for a while, and the directory itself does not change.
    for count in 501..<508 {
      try shelf.put("half.jpg", Array(Self.whole.prefix(count)))
      #expect(!shelf.names(after: 2).contains("half.jpg"))
    }
    for name in ["half.jpg", "empty.jpg", "IMG_00000007.jpg"] { try shelf.put(name, Self.whole) }
    let all = [
      "IMG_00000007.jpg", "empty.jpg", "half.jpg", "old.jpg", "padded.jpg", "whole.jpg",
    ]
    #expect(shelf.names(after: 30) == all)
    #expect(shelf.browser.item(".1/half.jpg")?.bytes == Self.whole.count)
    #expect(shelf.browser.item(".1/IMG_00000007.jpg")?.bytes == Self.whole.count)
    #expect(!shelf.browser.isGrowing(".1/half.jpg"))
  }

  @Test("offers what stays half in the end, and takes it back when it grows on")
  func stalled() throws {
    let shelf = try Shelf()
    try shelf.put("half.jpg", Array(Self.whole.prefix(500)))
    #expect(shelf.names(after: 8) == [])
    #expect(shelf.names(after: 6) == ["half.jpg"])
    try shelf.put("half.jpg", Array(Self.whole.prefix(600)))
    #expect(shelf.names(after: 5) == [])
    try shelf.put("half.jpg", Self.whole)
    #expect(shelf.names(after: 5) == ["half.jpg"])
    #expect(shelf.browser.item(".1/half.jpg")?.bytes == Self.whole.count)
  }

  @Test("takes a copy whose date is that of the original, set at its end")
  func dated() throws {
    let shelf = try Shelf()
    try shelf.put("a.jpg", Array(Self.whole.prefix(500)))
    #expect(shelf.names(after: 2) == [])
    try shelf.put("a.jpg", Self.whole, age: 100_000)
    #expect(shelf.names(after: 5) == ["a.jpg"])
    #expect(shelf.browser.item(".1/a.jpg")?.bytes == Self.whole.count)
  }

  @Test("notices a file that was changed in its place when it is opened")
  func inPlace() throws {
    let shelf = try Shelf()
    try shelf.put("a.jpg", Self.whole, age: 100_000)
    #expect(shelf.names(after: 4) == ["a.jpg"])
    let key = try ThumbnailCache.Key(#require(shelf.browser.item(".1/a.jpg")))
    try shelf.put("a.jpg", Self.whole + Self.whole, age: 50_000)
    #expect(try shelf.browser.original(of: ".1/a.jpg").count == 2 * Self.whole.count)
    #expect(shelf.names(after: 2) == ["a.jpg"])
    let item = try #require(shelf.browser.item(".1/a.jpg"))
    #expect(item.bytes == 2 * Self.whole.count && ThumbnailCache.Key(item) != key)
  }

  @Test("looks again at what is new only, and less and less often")
  func cost() throws {
    let shelf = try Shelf()
    for number in 0..<50 { try shelf.put("\(number).jpg", Self.whole, age: 10_000) }
    try shelf.put("new.jpg", Self.whole)
    _ = shelf.names(after: 200)
    shelf.system.forgetCalls()
    _ = shelf.names(after: 60)
    let looks = shelf.system.calls.count { $0 == "fstat" }
    // Two roots and an album each second, and the new file now and then.
    #expect(looks < 60 * 3 + 10)
    _ = shelf.names(after: 200)
    #expect(shelf.browser.item(".1/new.jpg") != nil)
  }

  @Test(
    "leaves alone what systems keep for themselves",
    arguments: [
      "$RECYCLE.BIN", "$Recycle.Bin/S-1-5-21", "RECYCLER", "Recycled",
      "System Volume Information", ".Trash-1000/files", ".Trashes", ".Spotlight-V100",
      ".fseventsd", "lost+found", "LOST.DIR", "FOUND.000", "@eaDir", "DCIM/@eaDir", "#recycle",
      "@Recycle", "__MACOSX", ".thumbnails", "DCIM/.thumbnails", "PRIVATE/M4ROOT/THMBNL",
    ])
  func housekeeping(_ folder: String) throws {
    let shelf = try Shelf()
    try shelf.put("\(folder)/gone.jpg", Self.whole, age: 10_000)
    try shelf.put("DCIM/FOUNDATION/a.jpg", Self.whole, age: 10_000)
    try shelf.put("Recycling day/b.jpg", Self.whole, age: 10_000)
    try shelf.put("._c.jpg", Self.whole, age: 10_000)
    #expect(shelf.names(after: 1) == ["a.jpg", "b.jpg"])
  }

  @Test("counts what cannot be shown, by format, for who wants that kind")
  func unshown() throws {
    let shelf = try Shelf()
    for name in [
      "a.jpg", "b.PNG", "c.heic", "DCIM/d.HEIC", "DCIM/e.webp", "f.mkv", "notes.txt", ".g.heic",
      "h.cr2", "__MACOSX/i.heic",
    ] {
      try shelf.put(name, Self.whole, age: 10_000)
    }
    // Latin-1, which no `String` has.
    let latin = Array("\(shelf.stick)/M".utf8) + [0xFC] + Array("ller.jpg".utf8) + [0]
    let fd = latin.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
      open($0.baseAddress ?? UnsafePointer(bitPattern: 1)!, O_CREAT | O_WRONLY, 0o644)
    }
    #expect(fd >= 0)
    close(fd)
    #expect(shelf.names(after: 1) == ["a.jpg", "b.PNG"])
    let unshown = shelf.browser.page(kinds: [.image]).unshown
    #expect(
      unshown.counts == ["HEIC": 2, "WebP": 1, "raw": 1, UnshownFiles.unreadableName: 1])
    #expect(
      unshown.sentence
        == "5 files cannot be shown here (HEIC, WebP, names that are not UTF-8, raw)")
    #expect(
      shelf.browser.page(kinds: [.movie]).unshown.sentence == "1 file cannot be shown here (MKV)")
    #expect(shelf.browser.page(album: ".1/DCIM").unshown.counts == ["HEIC": 1, "WebP": 1])
    #expect(UnshownFiles().sentence == nil)
  }

  @Test("looks into directories with long names, and beside very many files")
  func folders() throws {
    let shelf = try Shelf()
    let long = String(repeating: "写真", count: 40)
    try shelf.put("\(long)/a.jpg", Self.whole, age: 10_000)
    for number in 0..<2100 { try shelf.put("\(number).heic", [1], age: 10_000) }
    try shelf.put("zz/b.jpg", Self.whole, age: 10_000)
    #expect(shelf.names(after: 1) == ["a.jpg", "b.jpg"])
    #expect(shelf.browser.item(".1/\(long)/a.jpg") != nil)
    #expect(shelf.browser.page().unshown.count == 2100)
  }
}
