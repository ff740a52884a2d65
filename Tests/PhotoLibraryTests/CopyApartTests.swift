import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests of the check whether a directory for copies shows the library's own album.
struct CopyApartTests {
  private final class Rig {
    let sandbox: Sandbox
    /// The target's directory; the library itself in a mirror.
    let place: String
    let photo: Photo

    init(at path: String?, isKnownDisk: Bool = false) throws {
      sandbox = try Sandbox()
      let top = sandbox.path
      place = path.map { "\(top)/\($0)" } ?? sandbox.root
      for folder in [sandbox.root, sandbox.album, place, "\(place)/party"] { mkdir(folder, 0o755) }
      let name = PhotoName.name(1)
      photo = Photo(
        album: "party", name: name, number: 1, path: "\(sandbox.album)/\(name)",
        bytes: still(1).count)
      for folder in [sandbox.album, "\(place)/party"] {
        try Sandbox.write(still(1), to: "\(folder)/\(name)")
      }
      if !isKnownDisk { sandbox.system.fail("fstatfs", times: 1000, with: EIO) }
    }

    func isApart() throws(SystemError) -> Bool {
      let folder = try Descriptor(opening: place, flags: O_RDONLY, system: sandbox.system)
      let target = CopyTarget(
        path: place, identity: "0123456789abcdef0123456789abcdef", folder: folder,
        system: sandbox.system)
      guard let album = try target.album(photo.album, makes: false) else { return true }
      return try target.isApart(photo, in: album.number)
    }

    /// The files in both directories of the album.
    var files: [String] {
      let folders = [sandbox.album, "\(place)/party"]
      return folders.flatMap { (try? LinuxSystemCalls().entries($0).get()) ?? ["unreadable"] }
    }
  }

  @Test("a target that shows the library's album is not apart, and nothing of the check stays")
  func mirror() throws {
    let rig = try Rig(at: nil)
    let isApart = try rig.isApart()
    #expect(!isApart)
    let name = PhotoName.name(1)
    let files = rig.files
    #expect(files == [name, name])
  }

  @Test("another directory is apart, and nothing of the check stays")
  func other() throws {
    let rig = try Rig(at: "usb")
    let isApart = try rig.isApart()
    #expect(isApart)
    let name = PhotoName.name(1)
    let files = rig.files
    #expect(files == [name, name])
  }

  @Test("where the library takes no file, nothing proves that the two are apart")
  func full() throws {
    let rig = try Rig(at: "usb")
    // The first two calls are for the file in the target.
    rig.sandbox.system.fail("openat", at: 3, with: ENOSPC)
    let isApart = try rig.isApart()
    #expect(!isApart)
  }

  @Test("a target that takes no file throws")
  func readOnly() throws {
    let rig = try Rig(at: "usb")
    rig.sandbox.system.fail("openat", with: EROFS)
    do throws(SystemError) {
      _ = try rig.isApart()
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.errno == EROFS)
    }
  }

  @Test("a kernel's file system is told by its device alone")
  func disk() throws {
    let rig = try Rig(at: "usb", isKnownDisk: true)
    rig.sandbox.system.forgetCalls()
    let isApart = try rig.isApart()
    #expect(isApart)
    // A temporary directory may be on an overlay, which takes the files of the check.
    let isOverlay = FileSystemFacts(of: "/tmp")?.type == "overlay"
    #expect(rig.sandbox.system.calls.contains("unlinkat") == isOverlay)
  }
}
