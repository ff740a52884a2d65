import Glibc
import Platform
import StationTestSupport

@testable import PhotoLibrary

/// A library with its keeper, as a station has it.
struct Booth {
  let sandbox: Sandbox
  let library: PhotoLibrary
  let keeper: LibraryKeeper
  let clock: BoothClock?

  init(
    _ sandbox: Sandbox, _ keeping: LibraryKeeping = LibraryKeeping(), clock: BoothClock? = nil,
    album: String = "party"
  ) throws {
    self.sandbox = sandbox
    self.clock = clock
    library = try sandbox.open(album: album)
    keeper = try LibraryKeeper(
      configuration: sandbox.configuration(album: album), keeping: keeping,
      system: FaultySystemCalls(), clock: { clock?.reading ?? ClockReading.now() })
  }

  /// Saves a photo, whose file has the date that the booth's clock had then.
  @discardableResult
  func save(_ seed: Int) throws -> Photo {
    let candidate = try library.prepare(still(seed))
    let photo = try library.commit(candidate)
    if let clock {
      let time = timespec(tv_sec: Int(clock.reading.time), tv_nsec: 0)
      var times = [time, time]
      utimensat(AT_FDCWD, photo.path, &times, 0)
    }
    keeper.saved(photo, checksum: candidate.checksum)
    return photo
  }

  // Work that one thread passes to the other is completed as well.
  func settle() async {
    for _ in 0..<3 { await keeper.settle() }
  }

  /// Lets so many minutes pass, with a look in each.
  func look(minutes: Int = 1) async {
    for _ in 0..<minutes {
      clock?.pass(seconds: 61)
      keeper.look()
      await settle()
    }
  }

  /// The numbers that are there, lowest first.
  var numbers: [Int] {
    get throws { try library.photos().compactMap(\.number).sorted() }
  }

  func stop() {
    keeper.stop()
    library.close()
  }
}
