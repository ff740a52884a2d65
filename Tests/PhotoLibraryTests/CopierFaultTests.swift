import Glibc
import Platform
import StationTestSupport
import Testing

@testable import PhotoLibrary

/// A copier of which the N-th call fails, or is the last, for every N; and each of its syncs left
/// out.
struct CopierFaultTests {
  /// A library, a stick, and what the copier has to do: copy photos and delete one.
  private struct Rig {
    let sandbox: Sandbox
    let catalog: Catalog
    let stick: String
    let removes: Bool

    init(isKnown: Bool, photos: Int = 2, removal: Bool = false) throws {
      sandbox = try Sandbox()
      stick = sandbox.stick()
      removes = removal
      let library = try sandbox.open()
      catalog = try Catalog(root: sandbox.root)
      if removal { _ = try library.save(still(9)) }
      _ = try catalog.synchronize(album: "party")
      if isKnown || removal { Rig.serve(catalog, stick, LinuxSystemCalls()) }
      if removal {
        let entry = try #require(try catalog.entry(album: "party", name: PhotoName.name(1)))
        try PhotoDeletion(catalog: catalog).delete(entry)
      }
      for seed in 0..<photos {
        let candidate = try library.prepare(still(seed))
        try catalog.add(try library.commit(candidate), checksum: candidate.checksum)
      }
    }

    static func serve(_ catalog: Catalog, _ stick: String, _ system: any SystemCalls) {
      let copier = Copier(catalog: catalog, targets: [stick], system: system)
      copier.serve(0)
      copier.stop()
    }

    /// Photos that count as copied.
    func copied() throws -> [CatalogEntry] {
      try catalog.page(album: "party").filter { try !catalog.copies(of: $0).isEmpty }
    }

    /// The names in the album's directory on the stick.
    var names: [String] {
      ((try? LinuxSystemCalls().entries("\(stick)/party").get()) ?? []).sorted()
    }
  }

  // Checks the rule for a power cut at any time: a copy that is reported as done is on the disk.
  private func expectTrue(_ rig: Rig, _ model: SyncModel, _ note: String) throws {
    let unsafeNames = model.unsafeNames
    for entry in try rig.copied() {
      let name = entry.photo.name
      let copy = try? Sandbox.read("\(rig.stick)/party/\(name)")
      let photo = try Sandbox.read(entry.photo.path)
      #expect(copy == photo, "\(note): \(name)")
      let missing = unsafeNames.filter { [name, "party", ".retake-copies"].contains($0) }
      #expect(missing == [], "\(note)")
    }
    for target in try rig.catalog.identities() {
      #expect(!unsafeNames.contains(".retake-copies"), "\(note)")
      let isDue = try !rig.catalog.removals(in: target, after: nil).isEmpty
      if rig.removes, !isDue {
        let name = PhotoName.name(1)
        #expect(access("\(rig.stick)/party/\(name)", F_OK) != 0, "\(note)")
        #expect(!unsafeNames.contains(name), "\(note)")
      }
    }
    #expect(model.namedTooEarly == [], "\(note)")
  }

  // Whether the copier has an N-th call.
  private func fails(_ n: Int, _ errno: Int32?, isKnown: Bool) throws -> Bool {
    let rig = try Rig(isKnown: isKnown, photos: isKnown ? 1 : 2, removal: isKnown)
    let model = SyncModel()
    let system = FaultySystemCalls(model)
    if let errno { system.fail(at: n, with: errno) } else { system.die(after: n - 1) }
    Rig.serve(rig.catalog, rig.stick, system)
    let note = "\(errno.map { "errno \($0)" } ?? "killed") at call \(n)"
    let hasCall = system.calls.count >= n
    try expectTrue(rig, model, note)
    if errno != nil {
      #expect(rig.names.filter { $0.hasSuffix(".part") } == [], "\(note)")
    }
    Rig.serve(rig.catalog, rig.stick, LinuxSystemCalls())
    let photos = try rig.catalog.page(album: "party").map(\.photo.name).sorted()
    let count = try rig.copied().count
    #expect(count == photos.count, "\(note)")
    #expect(rig.names == photos, "\(note)")
    return hasCall
  }

  @Test("whatever call fails, what counts as copied or deleted is; the next look completes it")
  func everyCallFails() throws {
    for isKnown in [false, true] {
      var n = 1
      while try fails(n, EIO, isKnown: isKnown) { n += 1 }
      #expect(n > 30)
    }
  }

  @Test("killed at any call, what counts as copied or deleted is; the next start completes it")
  func everyCallIsTheLast() throws {
    for isKnown in [false, true] {
      var n = 1
      while try fails(n, nil, isKnown: isKnown) { n += 1 }
      #expect(n > 30)
    }
  }

  // Returns the names that a power cut could destroy after the copier has run with one of its syncs
  // omitted.
  private func losses(
    _ mutant: Int, _ missing: [String: Int32], _ prepare: () throws -> Rig
  ) throws -> (syncs: Int, losses: [String]) {
    let rig = try prepare()
    let model = SyncModel()
    model.missing = missing
    model.leftOut = mutant
    Rig.serve(rig.catalog, rig.stick, model)
    model.end()
    return (model.syncs, model.allLosses)
  }

  @Test("no sync of the copier can be left out")
  func everySyncCounts() throws {
    let works: [(name: String, syncs: Int, rig: () throws -> Rig)] = [
      ("a new stick", 2, { try Rig(isKnown: false, photos: 0) }),
      ("a photo", 4, { try Rig(isKnown: true, photos: 1) }),
      ("a deletion", 1, { try Rig(isKnown: true, photos: 0, removal: true) }),
    ]
    for (name, syncs, rig) in works {
      for missing in [[:], ["renameNew": EINVAL]] as [[String: Int32]] {
        let whole = try losses(0, missing, rig)
        #expect(whole.losses == [], "\(name)")
        #expect(whole.syncs == syncs, "\(name)")
        for mutant in 1...max(1, whole.syncs) {
          let result = try losses(mutant, missing, rig)
          #expect(result.losses != [], "\(name): nobody notices that sync \(mutant) is left out")
        }
      }
    }
  }
}
