import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests that a library whose disk is not mounted counts as gone, whatever the directory below
/// contains.
struct MountTests {
  private func table(_ sandbox: Sandbox, _ fstab: String, _ mounts: String) throws -> MountTable {
    let table = MountTable(
      wanted: "\(sandbox.path)/fstab", mounted: "\(sandbox.path)/mounts")
    try Sandbox.write(Array(fstab.utf8), to: table.wanted)
    try Sandbox.write(Array(mounts.utf8), to: table.mounted)
    return table
  }

  @Test("a mount point at or above a path is missing while fstab names it and it is not mounted")
  func missing() throws {
    let sandbox = try Sandbox()
    let fstab = """
      # UUID=1 /commented ext4 defaults 0 2
      UUID=1 / ext4 defaults 0 1
      UUID=2 /mnt/photos ext4 noauto,nofail 0 2
      UUID=3 /mnt/photos/deep/ vfat defaults 0 0
      UUID=4 /mnt/with\\040space ext4 defaults 0 2
      UUID=5 none swap sw 0 0

      """
    let table = try table(sandbox, fstab, "/dev/sda1 / ext4 rw 0 0\n")
    let expected: [(String, String?)] = [
      ("/mnt/photos", "/mnt/photos"), ("/mnt/photos/party", "/mnt/photos"),
      ("/mnt/photos/deep/er", "/mnt/photos/deep"), ("/mnt/photos2/party", nil),
      ("/mnt", nil), ("/srv/photos", nil), ("/commented/photos", nil), ("relative", nil),
      ("/mnt/with space/party", "/mnt/with space"), ("none", nil),
    ]
    for (path, place) in expected { #expect(table.missing(for: path) == place, "\(path)") }
    let mounts =
      "/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /mnt/photos ext4 rw 0 0\n"
      + "/dev/sdb2 /mnt/with\\040space ext4 rw 0 0\n"
    try Sandbox.write(Array(mounts.utf8), to: table.mounted)
    #expect(table.missing(for: "/mnt/photos/party") == nil)
    #expect(table.missing(for: "/mnt/with space/party") == nil)
    #expect(table.missing(for: "/mnt/photos/deep/er") == "/mnt/photos/deep")
    unlink(table.mounted)
    #expect(table.missing(for: "/mnt/photos/deep/er") == nil)
  }

  @Test("lines of fstab that make no sense are passed over")
  func hostile() throws {
    let sandbox = try Sandbox()
    let long = String(repeating: "x", count: 100_000)
    let fstab = """
      \u{0}\u{1}\u{FF}
      UUID=1
      UUID=1 /srv/../mnt/photos ext4
      UUID=1 //mnt/photos ext4 defaults
      UUID=1 mnt/photos ext4 defaults
      UUID=1 /\(long) ext4 defaults
      \(long)
      UUID=1 \\057mnt\\05 ext4 defaults 99999999999999999999 -1
      UUID=2 /mnt/good ext4
      UUID=3 /last
      """
    let table = try table(sandbox, fstab, "")
    #expect(table.missing(for: "/mnt/photos/party") == nil)
    #expect(table.missing(for: "/mnt/good/party") == "/mnt/good")
    #expect(table.missing(for: "/\(long)") == nil)
  }

  private func refusal(_ configuration: LibraryConfiguration) -> LibraryError? {
    do throws(LibraryError) {
      _ = try PhotoLibrary(configuration: configuration)
      return nil
    } catch {
      return error
    }
  }

  @Test("a library on a disk that is not mounted is gone, and nothing is written below")
  func gone() throws {
    let sandbox = try Sandbox()
    mkdir(sandbox.root, 0o755)
    let fstab = "UUID=1 \(sandbox.root) ext4 defaults 0 2\n"
    let mounted = "/dev/sda1 \(sandbox.root) ext4 rw 0 0\n"
    var configuration = sandbox.configuration()
    configuration.mounts = try table(sandbox, fstab, "")
    for _ in 0..<2 {
      let error = refusal(configuration)
      #expect(error?.code == .gone)
      #expect(error?.message.contains("sudo mount \(sandbox.root)") == true)
      #expect(error?.message.contains("chown") == false)
      #expect(sandbox.everything == [])
    }
    #expect(code { _ = try LibraryDesk(configuration: configuration) } == .gone)
    let fix = StorageState.gone.operatorFix(sandbox.root, mounts: configuration.mounts)
    #expect(fix?.contains("sudo mount \(sandbox.root)") == true)
    // While it runs the disk is pulled out: what is at the path then is another directory.
    try Sandbox.write(Array(mounted.utf8), to: configuration.mounts.mounted)
    let library = try PhotoLibrary(configuration: configuration)
    let photo = try library.save(still(1))
    #expect(photo.number == 1)
    try Sandbox.write([], to: configuration.mounts.mounted)
    rename(sandbox.root, "\(sandbox.root)-disk")
    mkdir(sandbox.root, 0o755)
    #expect(library.room(for: 1000) == .gone)
    #expect(code { _ = try library.save(still(2)) } == .gone)
    #expect(sandbox.everything == [])
  }

  @Test("a link to a directory on the disk is no way around")
  func link() throws {
    let sandbox = try Sandbox()
    mkdir("\(sandbox.path)/disk", 0o755)
    symlink("\(sandbox.path)/disk", "\(sandbox.path)/link")
    let table = try table(sandbox, "UUID=1 \(sandbox.path)/disk ext4\n", "")
    #expect(table.missing(for: "\(sandbox.path)/link/party") == "\(sandbox.path)/disk")
  }
}
