import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// Copies are looked at again: sticks are pulled out, and come back with less than they had.
struct CopyCheckTests {
  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Three photos in a library and on a stick, with a keeper that knows of them.
  private func copied() async throws -> (booth: Booth, stick: String, copies: [String]) {
    let sandbox = try Sandbox()
    let stick = sandbox.stick()
    let booth = try Booth(sandbox, LibraryKeeping(copies: [stick]))
    for seed in 1...3 { try booth.save(seed) }
    await booth.settle()
    let copies = (1...3).map { "\(stick)/party/\(PhotoName.name($0))" }
    for (seed, copy) in zip(1..., copies) {
      let bytes = try Sandbox.read(copy)
      #expect(bytes == still(seed))
    }
    return (booth, stick, copies)
  }

  private func replug(_ booth: Booth, _ stick: String) async {
    rename(stick, "\(stick)-away")
    booth.keeper.look()
    await booth.settle()
    #expect(booth.keeper.copies.first?.state == "absent")
    rename("\(stick)-away", stick)
    booth.keeper.look()
    await booth.settle()
  }

  @Test("a stick that comes back with empty, cut and missing copies gets them again")
  func comesBack() async throws {
    let (booth, stick, copies) = try await copied()
    defer { booth.keeper.stop() }
    try Sandbox.write([], to: copies[0])
    try Sandbox.write(Array(still(2).prefix(1000)), to: copies[1])
    unlink(copies[2])
    await replug(booth, stick)
    for (seed, copy) in zip(1..., copies) {
      let bytes = try Sandbox.read(copy)
      #expect(bytes == still(seed))
    }
    #expect(try LinuxSystemCalls().entries("\(stick)/party").get().count == 3)
    #expect(booth.keeper.copies.first?.state == "ready")
    #expect(booth.keeper.copies.first?.waiting == 0)
  }

  @Test("what was lost is copied again after the next start, too")
  func afterStart() async throws {
    let (booth, stick, copies) = try await copied()
    booth.keeper.stop()
    try Sandbox.write([], to: copies[1])
    let keeper = try LibraryKeeper(
      configuration: booth.sandbox.configuration(), keeping: LibraryKeeping(copies: [stick]))
    defer { keeper.stop() }
    for _ in 0..<3 { await keeper.settle() }
    #expect(try Sandbox.read(copies[1]) == still(2))
  }

  @Test("another picture with another size in a copy's place stays, under another name")
  func foreign() async throws {
    let (booth, stick, copies) = try await copied()
    defer { booth.keeper.stop() }
    try Sandbox.write(still(50, count: 700), to: copies[0])
    await replug(booth, stick)
    #expect(try Sandbox.read(copies[0]) == still(1))
    #expect(try Sandbox.read(copies[0] + ".damaged") == still(50, count: 700))
  }

  @Test("a photo is copied once what had its name in the directory is gone")
  func conflictEnds() async throws {
    let sandbox = try Sandbox()
    let stick = sandbox.stick(with: "party")
    let name = "\(stick)/party/\(PhotoName.name(1))"
    try Sandbox.write(still(99, count: 800), to: name)
    let booth = try Booth(sandbox, LibraryKeeping(copies: [stick]))
    defer { booth.keeper.stop() }
    try booth.save(1)
    await booth.settle()
    #expect(booth.keeper.copies.first?.refused == 1)
    await replug(booth, stick)
    #expect(try Sandbox.read(name) == still(99, count: 800))
    unlink(name)
    await replug(booth, stick)
    #expect(try Sandbox.read(name) == still(1))
    #expect(booth.keeper.copies.first?.refused == 0)
    #expect(booth.keeper.copies.first?.fix == nil)
  }

  @Test("verify reads the copies that are there, and says what is wrong with each")
  func verify() async throws {
    let (booth, stick, copies) = try await copied()
    booth.keeper.stop()
    let desk = try LibraryDesk(configuration: booth.sandbox.configuration())
    #expect(try desk.verify(album: "party") == [])
    unlink(copies[0])
    try Sandbox.write([], to: copies[1])
    try Sandbox.write(still(33), to: copies[2])
    for _ in 0..<2 {
      let findings = try desk.verify(album: "party")
      #expect(findings.map(\.path) == copies.reversed())
      #expect(findings.map(\.problem) == ["changed", "cut", "missing"])
      #expect(findings.filter { !$0.isCopy } == [])
      #expect(findings.allSatisfy { $0.words.contains("the station makes it again") })
    }
    rename(stick, "\(stick)-away")
    #expect(try desk.verify(album: "party") == [])
  }

  @Test("retention deletes no photo whose copy is away, cut, or has other bytes")
  func retention() async throws {
    let sandbox = try Sandbox()
    let stick = sandbox.stick()
    let keeping = LibraryKeeping(copies: [stick], keepBytes: 1)
    let booth = try Booth(sandbox, keeping)
    for seed in 1...3 { try booth.save(seed) }
    await booth.settle()
    try Sandbox.write(still(44), to: "\(stick)/party/\(PhotoName.name(1))")
    booth.keeper.session(isActive: true)
    try Sandbox.write(Array(still(2).dropLast()), to: "\(stick)/party/\(PhotoName.name(2))")
    booth.keeper.look()
    await booth.settle()
    // Only the third has a copy that is what was saved.
    #expect(try await booth.library.photos().map(\.number) == [2, 1])
    booth.keeper.session(isActive: false)
    await booth.settle()
    booth.keeper.stop()
    // The second is copied again, after the start; the first keeps waiting.
    func runOnce() async throws {
      let keeper = try LibraryKeeper(configuration: sandbox.configuration(), keeping: keeping)
      for _ in 0..<3 { await keeper.settle() }
      keeper.look()
      for _ in 0..<3 { await keeper.settle() }
      keeper.stop()
    }
    try await runOnce()
    #expect(try await booth.library.photos().map(\.number) == [1])
    rename(stick, "\(stick)-away")
    try await runOnce()
    #expect(try await booth.library.photos().map(\.number) == [1])
  }

  @Test("while the library is away its copies' directory is not to blame, and it is said once")
  func libraryAway() async throws {
    let (booth, stick, copies) = try await copied()
    defer { booth.keeper.stop() }
    booth.keeper.session(isActive: true)
    try booth.save(4)
    await booth.settle()
    rename(booth.sandbox.root, "\(booth.sandbox.root)-away")
    booth.keeper.session(isActive: false)
    await booth.settle()
    let state = booth.keeper.copies.first
    #expect(state?.state == "waiting")
    #expect(state?.fix?.contains("does not exist") == true)
    #expect(state?.fix?.contains("wait for the library") == true)
    rename("\(booth.sandbox.root)-away", booth.sandbox.root)
    booth.keeper.look()
    await booth.settle()
    #expect(booth.keeper.copies.first?.state == "ready")
    #expect(exists("\(stick)/party/\(PhotoName.name(4))"))
    #expect(copies.allSatisfy(exists))
  }
}
