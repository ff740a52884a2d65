import Glibc
import StationTestSupport
import Testing

@testable import PhotoLibrary

struct SequenceTests {
  private func file(_ sandbox: Sandbox) -> String { "\(sandbox.root)/.retake.party.sequence" }

  @Test("numbers go on after a restart, without a gap")
  func restart() throws {
    let sandbox = try Sandbox()
    for number in 1...3 { #expect(try sandbox.open().save(still(number)).number == number) }
  }

  @Test("the number of a deleted photo is not given again")
  func deleted() throws {
    let sandbox = try Sandbox()
    for number in 1...3 {
      let photo = try sandbox.open().save(still(number))
      #expect(photo.number == number)
      #expect(unlink(photo.path) == 0)
    }
    Sandbox.remove(sandbox.album)
    #expect(try sandbox.open().save(still(4)).number == 4)
  }

  @Test("after a crash numbers go on behind what was reserved")
  func crash() throws {
    let sandbox = try Sandbox()
    var library: PhotoLibrary? = try sandbox.open()
    let photo = try #require(try library?.save(still(1)))
    #expect(unlink(photo.path) == 0)
    sandbox.system.die(after: 0)
    library = nil
    sandbox.system.heal()
    #expect(try sandbox.open().save(still(2)).number == 101)
  }

  @Test("a hundred photos need one reservation")
  func blocks() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    sandbox.system.forgetCalls()
    for _ in 1...100 { _ = try library.save([1]) }
    #expect(sandbox.system.calls.filter { $0 == "rename" }.count == 1)
    _ = try library.prepare([1])
    #expect(sandbox.system.calls.filter { $0 == "rename" }.count == 2)
  }

  @Test("each album has numbers of its own")
  func albums() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open(album: "one").save(still(1))
    #expect(try sandbox.open(album: "two").save(still(2)).number == 1)
    #expect(try sandbox.open(album: "one").save(still(3)).number == 2)
    #expect(try PhotoLibrary.albums(root: sandbox.root) == ["one", "two"])
  }

  @Test(
    "a file of numbers that is damaged or lost never leads to one in use",
    arguments: [
      nil, "", "x", "00000001 99999999\n", "00000003 99999996", "-0000003 99999996\n",
      "00000003 99999996\nmore", "99999999 99999999\n", "\0\0\0\0\0\0\0\0 99999999\n",
    ] as [String?])
  func damaged(_ text: String?) throws {
    let sandbox = try Sandbox()
    for number in 1...3 { _ = try sandbox.open().save(still(number)) }
    if let text {
      try Sandbox.write(Array(text.utf8), to: file(sandbox))
    } else {
      #expect(unlink(file(sandbox)) == 0)
    }
    #expect(try sandbox.open().save(still(4)).number == 1101)
    #expect(try sandbox.open().save(still(5)).number == 1102)
  }

  @Test("a photo from elsewhere with a higher number is not met again")
  func foreign() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open().save(still(1))
    try Sandbox.write(still(9), to: "\(sandbox.album)/IMG_00000500.jpg")
    #expect(try sandbox.open().save(still(2)).number == 501)
  }

  @Test("at the end of the numbers there is an error, not a wrong name")
  func end() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open().save(still(1))
    try Sandbox.write(Array("99999998 00000001\n".utf8), to: file(sandbox))
    let library = try sandbox.open()
    #expect(try library.save(still(2)).name == "IMG_99999999.jpg")
    #expect(code { _ = try library.save(still(3)) } == .numbersUsedUp)
  }

  @Test(
    "a foreign file at the end of the numbers takes none of those below",
    arguments: ["IMG_99999999.jpg", "IMG_90000000.mp4", "IMG_99999999.mp4"])
  func foreignEnd(_ name: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open().save(still(1))
    try Sandbox.write(still(9), to: "\(sandbox.album)/\(name)")
    let library = try sandbox.open()
    #expect(try library.save(still(2)).number == 2)
    // While it is open, too, and after the file of numbers is lost.
    Sandbox.remove(sandbox.album)
    _ = try library.save(still(3))
    try Sandbox.write(still(9), to: "\(sandbox.album)/\(name)")
    #expect(try library.save(still(4)).number == 4)
    library.close()
    unlink(file(sandbox))
    #expect(try sandbox.open().save(still(5)).number == 1101)
    #expect(try Sandbox.read("\(sandbox.album)/\(name)") == still(9))
  }

  @Test("an album that was brought with such a file begins with 1, and passes over its name")
  func foreignFirst() throws {
    let sandbox = try Sandbox()
    mkdir(sandbox.root, 0o755)
    mkdir(sandbox.album, 0o755)
    try Sandbox.write(still(9), to: "\(sandbox.album)/IMG_99999999.jpg")
    #expect(try sandbox.open().save(still(1)).number == 1)
    try Sandbox.write(Array("99999998 00000001\n".utf8), to: file(sandbox))
    #expect(code { _ = try sandbox.open().save(still(2)) } == .numbersUsedUp)
    #expect(try Sandbox.read("\(sandbox.album)/IMG_99999999.jpg") == still(9))
  }

  @Test(
    "a directory, a pipe or a link in the place of the file of numbers stops no photo",
    arguments: [".retake.party.sequence", ".retake-sequence.part"])
  func strangeFile(_ name: String) throws {
    for kind in ["directory", "pipe", "link"] {
      let sandbox = try Sandbox()
      let first = try sandbox.open().save(still(1))
      let path = "\(sandbox.root)/\(name)"
      unlink(path)
      switch kind {
      case "directory": mkdir(path, 0o755)
      case "pipe": mkfifo(path, 0o644)
      default: symlink("/dev/zero", path)
      }
      let second = try sandbox.open().save(still(2))
      #expect(second.number ?? 0 > first.number ?? 0, "\(kind)")
      #expect(try sandbox.open().save(still(3)).number == (second.number ?? 0) + 1, "\(kind)")
    }
  }

  @Test("a directory with the name of what a crash leaves stops no start")
  func strangeLeftover() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.open().save(still(1))
    mkdir("\(sandbox.album)/.retake-abc.part", 0o755)
    #expect(try sandbox.open().save(still(2)).number == 2)
  }
}
