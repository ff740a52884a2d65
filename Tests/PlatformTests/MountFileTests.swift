import Glibc
import Platform
import StationTestSupport
import Testing

@Suite struct MountFileTests {
  private let path = "/tmp/retake-mounts-\(getpid())-\(UInt64.random(in: 0 ... .max))"

  private func withTable<Value>(_ text: String, _ body: (String) throws -> Value) throws -> Value {
    defer { unlink(path) }
    let system = LinuxSystemCalls()
    let file = try Descriptor(
      opening: path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600, system: system)
    try system.writeAll(file.number, Array(text.utf8))
    return try body(path)
  }

  private let mountinfo = """
    21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    22 21 8:17 / /mnt/a\\040b ro,relatime - ext4 /dev/sdb1 rw
    23 21 8:33 / /mnt/broken ro - ext4 /dev/sdc1 ro,errors=remount-ro
    24 21 0:40 / /mnt/over rw - overlay overlay rw,lowerdir=/l,upperdir=/run/u\\040p,workdir=/w
    this line has no sense
    25 21 8:49 / /mnt/twice ro - ext4 /dev/sdd1 rw
    26 25 8:50 / /mnt/twice rw - ext4 /dev/sdd2 rw

    """

  @Test(arguments: [
    ("/", "/", false), ("/mnt/a b/photos", "/mnt/a b", true), ("/mnt/a bc", "/", false),
    ("/mnt/broken", "/mnt/broken", false), ("/mnt/twice/x", "/mnt/twice", false),
  ])
  func theLastAndDeepestMountHoldsAPath(
    _ path: String, _ place: String, _ isReadOnly: Bool
  ) throws {
    let mount = try withTable(mountinfo) { Mount.holding(path, in: $0) }
    #expect(mount?.path == place)
    #expect(mount?.isReadOnlyHere == isReadOnly)
  }

  @Test func anOverlayTellsItsUpperDirectoryAndDevice() throws {
    let mounts = try #require(try withTable(mountinfo) { Mount.mounted($0) })
    #expect(mounts.count == 6)
    let overlay = mounts.first { $0.upperDirectory != nil }
    #expect(overlay?.path == "/mnt/over")
    #expect(overlay?.upperDirectory == "/run/u p")
    #expect(overlay?.device == 40)
    #expect(mounts.first?.device == 0x801)
  }

  @Test func aTableThatCannotBeReadIsNone() throws {
    #expect(Mount.mounted("/nonexistent/mountinfo") == nil)
    #expect(Mount.wanted("/nonexistent/fstab") == nil)
    let empty = try withTable("") { ($0, Mount.mounted($0), Mount.wanted($0)) }
    #expect(empty.1 == [])
    #expect(empty.2 == [])
  }

  @Test func aPlaceThatNoMountCanHaveIsLeftOut() throws {
    let long = String(repeating: "x", count: Int(PATH_MAX))
    let fstab =
      ["/\(long)", "/a/../b", "//a", "/a/./b", "a", "none"]
      .map { "UUID=1 \($0) ext4 defaults 0 0\n" }.joined() + "UUID=1 /a/ ext4 defaults 0 0\n"
    let mounts = try #require(try withTable(fstab) { Mount.wanted($0) })
    #expect(mounts.map(\.path) == ["/a"])
  }

  @Test func theProcessesOwnRootIsMounted() {
    #expect(Mount.holding("/")?.path == "/")
  }
}
