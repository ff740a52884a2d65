import Glibc
import Platform
import Synchronization

/// The list of a library's pictures: a SQLite file beside the albums.
///
/// The files are the truth. The catalog may lag behind them, and can be deleted at any time,
/// because ``synchronize(album:progress:)`` makes it right again. The holder of the library writes
/// it after each saved photo, and the command line writes it for each deleted one.
///
/// All calls block. They may come from any thread and are serialized.
public final class Catalog: Sendable {
  /// The rights of the process that opens the catalog.
  public enum Access: Sendable {
    /// The owner of the library's lock, which sets a damaged catalog aside.
    case holder
    /// A process beside a running station.
    case visitor
    /// A user who may read the library but not write it, and gets a copy in memory.
    case reader
  }

  struct State: ~Copyable, @unchecked Sendable {
    var database: Database
    var replacements = 0
    /// Whether this process still has the library's lock, so that it may set a damaged file aside.
    var isHeld = true
  }

  /// The library's directory.
  public let root: String
  let system: any SystemCalls
  let log = Log("library")
  private let access: Access
  private let place: CatalogPlace
  private let state: Mutex<State>

  /// Opens or creates the catalog of the library at `root`.
  public init(
    root: String, access: Access = .holder, system: any SystemCalls = LinuxSystemCalls()
  ) throws(LibraryError) {
    self.root = root
    self.access = access
    self.system = system
    let place = CatalogPlace(root, system)
    self.place = place
    state = Mutex(try Catalog.opened(place, access, log))
  }

  /// Returns the catalog's path.
  public static func path(_ root: String) -> String { "\(root)/.retake.catalog" }

  /// The number of times that a damaged catalog was replaced by an empty one.
  public var replacements: Int { state.withLock { $0.replacements } }

  /// Closes the file, which may write to the disk; later calls find an empty catalog.
  ///
  /// The owner calls it when it ends while other parts still hold the object; otherwise the file
  /// closes when the last of them releases it.
  public func close() {
    state.withLock { state in
      if let nothing = Catalog.nothing { state.database = nothing }
    }
  }

  /// Records that another station may have the library from now on, as for a visitor.
  func letGo() { state.withLock { $0.isHeld = false } }

  private static var nothing: Database? {
    do throws(DatabaseError) {
      return try openSound(":memory:", .holder)
    } catch {
      return nil
    }
  }

  // MARK: Use

  /// Calls `body` with the database; a damaged one is replaced, and the call throws once.
  ///
  /// A process with the library's lock sets a file aside that is no sound database. If a sound
  /// database has rows that no station writes, all photos are removed from it. In both cases
  /// ``synchronize(album:progress:)`` lists them again from the files.
  func use<Value: Sendable>(
    _ body: (borrowing Database) throws(DatabaseError) -> Value
  ) throws(LibraryError) -> Value {
    let path = place.path
    return try state.withLock { (state) throws(LibraryError) -> Value in
      let lost = LostPages.count
      do throws(DatabaseError) {
        let answer = try body(state.database)
        // An answer that was read while a page was lost is not valid.
        guard lost == LostPages.count else { throw DatabaseError.cut }
        return answer
      } catch let failure {
        let error = lost == LostPages.count ? failure : .cut
        if error.isImpossible, (try? state.database.forgetPhotos()) != nil {
          state.replacements += 1
          log.warning(
            "the catalog is damaged (\(error.message)): it is made again from the files; no photo "
              + "is lost", [("file", path)])
          throw LibraryError(error, path)
        }
        guard error.isDamage || error.isImpossible, access == .holder, state.isHeld else {
          throw LibraryError(error, path)
        }
        Catalog.setAside(place, error, log)
        let count = state.replacements + 1
        if let fresh = try? Catalog.openSound(path, access) {
          state = State(database: fresh, replacements: count)
        }
        throw LibraryError(error, path)
      }
    }
  }
}

extension Catalog {
  /// Reads all of the catalog, to find damaged pages and rows that no station writes.
  ///
  /// Throws once if there are any; the repair has then begun, as described for `use(_:)`.
  public func inspect() throws(LibraryError) {
    try use { (database) throws(DatabaseError) in try database.inspect() }
  }
}

extension LibraryError {
  init(_ error: DatabaseError, _ path: String) {
    self.init(
      .failing,
      "the catalog \(path) cannot be used: \(error.message)",
      fix: "a start of the station, or 'retake photos rebuild' without one, makes it again from "
        + "the files")
  }
}
