import Glibc
import Platform
import StationTestSupport
import Testing

@Suite struct DurableFileTests {
  /// A directory of its own, which is deleted at the end.
  private final class Folder {
    let path = "/tmp/retake-durable-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let file: Descriptor
    let system = FaultySystemCalls()

    init() throws {
      mkdir(path, 0o700)
      file = try Descriptor(opening: path, flags: O_DIRECTORY, system: LinuxSystemCalls())
    }

    deinit {
      for name in names { unlink("\(path)/\(name)") }
      rmdir(path)
    }

    var names: [String] { ((try? LinuxSystemCalls().entries(path).get()) ?? []).sorted() }

    func text(_ name: String) throws -> String {
      let file = try Descriptor(
        opening: "\(path)/\(name)", flags: O_RDONLY, system: LinuxSystemCalls())
      let bytes = try LinuxSystemCalls().readAll(file.number, limit: 100)
      return String(decoding: bytes, as: UTF8.self)
    }

    func put(_ name: String, _ text: String) throws {
      let file = try Descriptor(
        opening: "\(path)/\(name)", flags: O_WRONLY | O_CREAT, mode: 0o600,
        system: LinuxSystemCalls())
      try LinuxSystemCalls().writeAll(file.number, Array(text.utf8))
    }

    /// Takes all steps; returns whether the file was placed.
    func make() throws -> Bool {
      let new = DurableFile("new", temporary: ".new", in: file.number, at: path, system)
      do {
        let file = Descriptor(owning: try new.create(), system: system)
        try system.writeAll(file.number, Array("bytes".utf8))
        try new.sync(file.number)
        let isPlaced = try new.place(file.number)
        if !isPlaced { new.discard() }
        return isPlaced
      } catch {
        new.discard()
        throw error
      }
    }
  }

  @Test func aFileIsSyncedBeforeAndAfterItGetsItsName() throws {
    let folder = try Folder()
    let isPlaced = try folder.make()
    #expect(isPlaced)
    #expect(folder.names == ["new"])
    let text = try folder.text("new")
    #expect(text == "bytes")
    #expect(
      folder.system.calls == [
        "unlinkat", "openBeneath", "write", "fsync", "renameNew", "fsync", "fsync",
      ])
  }

  @Test(arguments: [nil, EINVAL, ENOSYS, EOPNOTSUPP])
  func aTakenNameIsNeverReplaced(_ refusal: Int32?) throws {
    let folder = try Folder()
    if let refusal { folder.system.fail("renameNew", with: refusal) }
    try folder.put("new", "old")
    let isPlaced = try folder.make()
    #expect(isPlaced == false)
    #expect(folder.names == ["new"])
    let text = try folder.text("new")
    #expect(text == "old")
  }

  @Test(arguments: [EINVAL, ENOSYS, EOPNOTSUPP])
  func aFileSystemThatCannotRefuseToReplaceTakesAFreeName(_ refusal: Int32) throws {
    let folder = try Folder()
    folder.system.fail("renameNew", with: refusal)
    let isPlaced = try folder.make()
    #expect(isPlaced)
    let text = try folder.text("new")
    #expect(text == "bytes")
  }

  @Test(arguments: 1...7) func aFailedCallLeavesNothing(_ call: Int) throws {
    let folder = try Folder()
    folder.system.fail(at: call, with: EIO)
    #expect(throws: SystemError.self) { try folder.make() }
    #expect(folder.names == [])
  }

  @Test func aTemporaryNameThatIsALinkIsNotWrittenThrough() throws {
    let folder = try Folder()
    try folder.put("precious", "old")
    link("\(folder.path)/precious", "\(folder.path)/.new")
    let isPlaced = try folder.make()
    #expect(isPlaced)
    let text = try folder.text("precious")
    #expect(text == "old")
  }
}
