import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// A session in which the N-th call fails, for every N.
struct FaultTests {
  private static let errors = [ENOSPC, EIO, EROFS]

  /// Checks that every listed photo has exactly the bytes of one of the stills.
  private func expectWhole(_ sandbox: Sandbox, _ stills: [[UInt8]], _ note: String) throws {
    for photo in try PhotoLibrary.photos(root: sandbox.root, album: "party") {
      let bytes = try Sandbox.read(photo.path)
      #expect(stills.contains(bytes), "\(photo.name) \(note)")
    }
  }

  private func leftovers(_ sandbox: Sandbox) -> [String] {
    sandbox.everything.filter { $0.hasSuffix(".part") }
  }

  @Test("one failed call, whichever: no wrong success, nothing left of a failure, the next works")
  func everyCallFails() throws {
    for way in Way.allCases {
      for error in FaultTests.errors {
        var n = 1
        while try failsOnce(way, n, error) { n += 1 }
        #expect(n > 10)
      }
    }
  }

  // Whether the session has an N-th call.
  private func failsOnce(_ way: Way, _ n: Int, _ number: Int32) throws -> Bool {
    let sandbox = try Sandbox()
    let system = sandbox.system
    var library: PhotoLibrary? = try sandbox.open()
    way.arrange(system)
    system.forgetCalls()
    system.fail(at: n, with: number)
    let note = "\(way), call \(n), errno \(number)"
    var saved: Photo?
    var candidate: Candidate?
    do {
      candidate = try library?.prepare(still(1))
      #expect(try library?.photos() == [], "\(note)")
      if let candidate { saved = try library?.commit(candidate) }
    } catch {
      let expected: [Int32: LibraryError.Code] = [
        ENOSPC: .full, EIO: .failing, EROFS: .readOnly,
      ]
      #expect(error.code == expected[number], "\(note): \(error)")
      #expect(error.cause?.errno == number, "\(note)")
    }
    let calls = system.calls.count
    system.heal()
    way.arrange(system)
    if let saved {
      #expect(try Sandbox.read(saved.path) == still(1), "\(note)")
    } else {
      #expect(try PhotoLibrary.photos(root: sandbox.root, album: "party") == [], "\(note)")
      #expect(leftovers(sandbox) == [], "\(note)")
      if let candidate, candidate.isPending {
        let again = try #require(try library?.commit(candidate))
        #expect(try Sandbox.read(again.path) == still(1), "\(note)")
      }
    }
    candidate = nil
    let next = try #require(try library?.save(still(2)))
    #expect(try Sandbox.read(next.path) == still(2), "\(note)")
    #expect(next.number ?? 0 > saved?.number ?? 0)
    library = nil
    library = try sandbox.open()
    #expect(try library?.photos().first?.name == next.name)
    return calls >= n
  }

  @Test("killed at any call: what was reported is there, nothing is half there, numbers go on")
  func everyCallIsTheLast() throws {
    for way in Way.allCases {
      var n = 0
      while try diesAt(way, n) { n += 1 }
      #expect(n > 7)
    }
  }

  private func diesAt(_ way: Way, _ n: Int) throws -> Bool {
    let sandbox = try Sandbox()
    var library: PhotoLibrary? = try sandbox.open()
    let first = try #require(try library?.save(still(1)))
    way.arrange(sandbox.system)
    sandbox.system.die(after: n)
    let note = "\(way), killed at call \(n)"
    var candidate = try? library?.prepare(still(2))
    let wasPrepared = candidate != nil
    var saved: Photo?
    if let candidate { saved = try? library?.commit(candidate) }
    let died = saved == nil
    candidate = nil
    library = nil
    sandbox.system.heal()
    library = try sandbox.open()
    #expect(leftovers(sandbox) == [], "\(note)")
    try expectWhole(sandbox, [still(1), still(2)], note)
    let names = try #require(try library?.photos().map(\.name))
    #expect(names.contains(first.name), "\(note)")
    if let saved { #expect(names.contains(saved.name), "\(note)") }
    if !wasPrepared { #expect(names == [first.name], "\(note)") }
    let next = try #require(try library?.save(still(3)))
    let highest = try #require(names.first)
    #expect(next.name > highest, "\(note)")
    return died
  }

  @Test("a photo that can neither be made durable nor removed is not listed, and removed later")
  func undoFails() throws {
    let sandbox = try Sandbox()
    let library = try sandbox.open()
    let candidate = try library.prepare(still(1))
    sandbox.system.fail("fsync", with: EIO)
    sandbox.system.fail("unlinkat", with: EIO)
    #expect(code { _ = try library.commit(candidate) } == .failing)
    #expect(!candidate.isPending)
    #expect(sandbox.everything.contains("party/IMG_00000001.jpg"))
    #expect(try library.photos() == [])
    let next = try library.save(still(2))
    #expect(next.number == 2)
    #expect(try library.photos() == [next])
    #expect(!sandbox.everything.contains("party/IMG_00000001.jpg"))
  }

  @Test("opening fails with a code and a sentence, at any call, and works afterwards")
  func openingFails() throws {
    for error in FaultTests.errors + [EACCES] {
      var n = 1
      var isDone = false
      while !isDone {
        let sandbox = try Sandbox()
        sandbox.system.fail(at: n, with: error)
        do {
          _ = try sandbox.open()
          isDone = sandbox.system.calls.count < n
        } catch let failure as LibraryError {
          #expect(failure.cause?.errno == error, "call \(n): \(failure)")
          #expect(failure.message.contains(sandbox.path), "\(failure)")
        }
        sandbox.system.heal()
        let photo = try sandbox.open().save(still(1))
        #expect(try Sandbox.read(photo.path) == still(1))
        n += 1
      }
      #expect(n > 10)
    }
  }
}
