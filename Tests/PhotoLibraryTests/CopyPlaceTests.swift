import CLinux
import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Tests that a photo is deleted only if a file elsewhere is certainly its copy.
///
/// No link here leads out of the sandbox.
struct CopyPlaceTests {
  /// The way in which the directory for copies was replaced before the station starts.
  private enum Trick: String, CaseIterable {
    case library, album, inside, around, linkToLibrary, linkToAround, albumLink, photoLinks
    case hardLinks, pipe, directory, identityLink, socket, view
  }

  // Returns what is named in copy.to.
  private func arrange(_ trick: Trick, _ sandbox: Sandbox) throws -> String {
    let stick = "\(sandbox.path)/usb"
    let identity = "\(stick)/.retake-copies"
    switch trick {
    case .library: return sandbox.root
    case .album: return sandbox.album
    case .inside:
      mkdir("\(sandbox.root)/copies", 0o755)
      return "\(sandbox.root)/copies"
    case .around: return sandbox.path
    case .linkToLibrary:
      symlink("photos", stick)
      return stick
    case .linkToAround:
      symlink(".", stick)
      return "\(stick)/."
    case .albumLink:
      mkdir(stick, 0o755)
      symlink("../photos/party", "\(stick)/party")
    case .photoLinks, .hardLinks:
      mkdir(stick, 0o755)
      mkdir("\(stick)/party", 0o755)
      for number in 1...3 {
        let name = PhotoName.name(number)
        if trick == .hardLinks {
          link("\(sandbox.album)/\(name)", "\(stick)/party/\(name)")
        } else {
          symlink("../../photos/party/\(name)", "\(stick)/party/\(name)")
        }
      }
    case .pipe:
      mkdir(stick, 0o755)
      mkfifo(identity, 0o644)
    case .directory:
      mkdir(stick, 0o755)
      mkdir(identity, 0o755)
    case .identityLink:
      mkdir(stick, 0o755)
      symlink("../target", identity)
    case .socket:
      mkdir(stick, 0o755)
      mknod(identity, S_IFSOCK | 0o644, 0)
    case .view:
      // The directory is like the library through another file system, with the same names and
      // bytes but other inodes.
      mkdir(stick, 0o755)
      mkdir("\(stick)/party", 0o755)
      for seed in 1...3 {
        try Sandbox.write(still(seed), to: "\(stick)/party/\(PhotoName.name(seed))")
      }
      for place in [stick, sandbox.root] {
        try Sandbox.write(
          Array("\(String(repeating: "5a", count: 16))\n".utf8), to: "\(place)/.retake-copies")
      }
    }
    return stick
  }

  @Test("no photo is deleted for copies that are the photos themselves, or that cannot be made")
  func tricks() async throws {
    for trick in Trick.allCases {
      let sandbox = try Sandbox()
      let library = try sandbox.open()
      for seed in 1...3 { _ = try library.save(still(seed)) }
      let path = try arrange(trick, sandbox)
      let keeping = LibraryKeeping(copies: [path], keepDays: 1, keepBytes: 1)
      let keeper = try LibraryKeeper(configuration: sandbox.configuration(), keeping: keeping)
      for _ in 0..<2 {
        for _ in 0..<3 { await keeper.settle() }
        keeper.look()
      }
      for _ in 0..<3 { await keeper.settle() }
      let state = keeper.copies.first
      keeper.stop()
      #expect(state?.fix != nil, "\(trick): \(state?.state ?? "")")
      #expect(state?.state != "copying", "\(trick)")
      for seed in 1...3 {
        let bytes = try? Sandbox.read("\(sandbox.album)/\(PhotoName.name(seed))")
        #expect(bytes == still(seed), "\(trick)")
      }
      // Nothing was written through a link, and nothing beside the photos.
      let names = sandbox.everything.filter { $0.hasPrefix("party/") }
      #expect(names.count == 3, "\(trick): \(names)")
      #expect(access("\(sandbox.path)/target", F_OK) != 0, "\(trick)")
      withExtendedLifetime(library) {}
    }
  }

  @Test("a mark that is no file is told as what it is, and not as a directory that is away")
  func strangeMark() throws {
    // A socket fails when it is read, and a pipe without a reader when it is written.
    for call in [1, 2] {
      let sandbox = try Sandbox()
      _ = try sandbox.open().save(still(1))
      let catalog = try Catalog(root: sandbox.root)
      _ = try catalog.synchronize(album: "party")
      let stick = sandbox.stick()
      let system = FaultySystemCalls()
      let copier = Copier(catalog: catalog, targets: [stick], system: system)
      system.fail("openBeneath", at: call, with: ENXIO)
      copier.serve(0)
      copier.stop()
      #expect(copier.states.first?.state == "failing", "\(call)")
      let fix = copier.states.first?.fix ?? ""
      #expect(fix.hasPrefix("\(stick)/.retake-copies is no regular file: delete it"), "\(fix)")
    }
  }

  @Test("a copy.to that is the library, in it, or around it is refused in words with the fix")
  func refused() throws {
    for trick in [Trick.library, .album, .inside, .around, .linkToLibrary, .linkToAround] {
      let sandbox = try Sandbox()
      _ = try sandbox.open().save(still(1))
      let path = try arrange(trick, sandbox)
      let catalog = try Catalog(root: sandbox.root)
      _ = try catalog.synchronize(album: "party")
      let copier = Copier(catalog: catalog, targets: [path], system: LinuxSystemCalls())
      copier.serve(0)
      copier.stop()
      #expect(copier.states.first?.state == "refused", "\(trick)")
      let fix = copier.states.first?.fix ?? ""
      #expect(fix.hasPrefix(path), "\(fix)")
      #expect(fix.contains("the library"), "\(fix)")
      #expect(fix.hasSuffix("name a directory on another disk in 'copy.to'"), "\(fix)")
      for mark in ["\(path)/.retake-copies", "\(sandbox.root)/.retake-copies"] {
        #expect(access(mark, F_OK) != 0, "\(trick)")
      }
    }
  }

  @Test("a copy that becomes the photo itself is none any more: verify and the check say so")
  func becomesOriginal() throws {
    let sandbox = try Sandbox()
    let photo = try sandbox.open().save(still(1))
    let catalog = try Catalog(root: sandbox.root)
    try catalog.add(photo, checksum: still(1).withUnsafeBytes { Checksum(of: [$0]) })
    let stick = sandbox.stick()
    let first = Copier(catalog: catalog, targets: [stick], system: LinuxSystemCalls())
    first.serve(0)
    first.stop()
    let entry = try #require(try catalog.entry(album: "party", name: photo.name))
    var copies = try catalog.copies(of: entry)
    #expect(copies == [stick])
    let copy = "\(stick)/party/\(photo.name)"
    unlink(copy)
    link(photo.path, copy)
    let desk = try LibraryDesk(configuration: sandbox.configuration())
    let findings = try desk.verify(album: "party")
    #expect(findings.map(\.path) == [copy])
    #expect(findings.first?.words.contains("no copy") == true)
    copies = try catalog.copies(of: entry)
    #expect(copies == [])
    // The cut file is not removed, because it is the only one.
    try catalog.note(.copied, of: entry.id, in: try #require(catalog.identities().first))
    truncate(photo.path, 100)
    let again = Copier(catalog: catalog, targets: [stick], system: LinuxSystemCalls())
    again.serve(0)
    again.stop()
    let left = try Sandbox.read(photo.path)
    #expect(left == Array(still(1).prefix(100)))
    copies = try catalog.copies(of: entry)
    #expect(copies == [])
  }

  /// System calls that report another disk for everything below a path.
  private final class OtherDisk: ForwardingSystemCalls, @unchecked Sendable {
    let path: String
    init(_ path: String) { self.path = path }
    override func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 {
      let result = base.fstat(fd, status)
      if case .success(let place) = base.readlink("/proc/self/fd/\(fd)") {
        status.pointee.st_dev = place.hasPrefix(path) ? 2 : 1
      }
      return result
    }
  }

  private func opening(_ path: String, _ system: any SystemCalls) -> String {
    do throws(CopyRefusal) {
      guard let folder = try CopyPlace.open(path, isForeign: true, system) else { return "absent" }
      return (try? system.readlink("/proc/self/fd/\(folder.number)").get()) ?? "?"
    } catch {
      switch error {
      case .failed(let cause): return "errno \(cause.errno)"
      case .library: return "library"
      case .unfit(let words): return words.contains("a link on a disk of others") ? "link" : "?"
      }
    }
  }

  @Test("links of the system's own disk lead to a stick; links on the stick lead nowhere")
  func links() throws {
    let sandbox = try Sandbox()
    let stick = sandbox.stick(with: "copies")
    symlink("usb", "\(sandbox.path)/media")
    symlink("copies", "\(stick)/here")
    symlink("..", "\(stick)/up")
    symlink("missing", "\(stick)/dangling")
    try Sandbox.write([1], to: "\(stick)/file")
    let system = OtherDisk(stick)
    let expected: [(String, String)] = [
      ("usb/copies", "\(stick)/copies"), ("media/copies", "\(stick)/copies"), ("media/", stick),
      ("usb/../usb/./copies", "\(stick)/copies"), ("usb/here", "link"), ("media/here", "link"),
      ("usb/up/usb", "link"), ("usb/dangling", "link"), ("usb/none", "absent"),
      ("usb/file", "errno 20"), ("usb/file/x", "errno 20"),
    ]
    for (path, outcome) in expected {
      let result = opening("\(sandbox.path)/\(path)", system)
      #expect(result == outcome, "\(path)")
    }
  }
}
