import StationTestSupport

@testable import PhotoLibrary

/// A library with its keeper, as a station has it.
struct Booth {
  let sandbox: Sandbox
  let library: PhotoLibrary
  let keeper: LibraryKeeper

  init(_ sandbox: Sandbox, _ keeping: LibraryKeeping = LibraryKeeping()) throws {
    self.sandbox = sandbox
    library = try sandbox.open()
    keeper = try LibraryKeeper(
      configuration: sandbox.configuration(), keeping: keeping, system: FaultySystemCalls())
  }

  @discardableResult
  func save(_ seed: Int) throws -> Photo {
    let candidate = try library.prepare(still(seed))
    let photo = try library.commit(candidate)
    keeper.saved(photo, checksum: candidate.checksum)
    return photo
  }

  // Whatever one thread gives the other is done, too.
  func settle() async {
    for _ in 0..<3 { await keeper.settle() }
  }
}
