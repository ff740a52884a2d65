import Glibc
import Platform
import Synchronization

/// What is in a library, for those who list it: a SQLite file beside the albums.
///
/// The files are the truth. The catalog may lag behind them, and can be thrown away at any time:
/// ``synchronize(album:progress:)`` makes it right again. It is written after a photo is saved, by
/// whoever holds the library, and by the command line for what it deletes.
///
/// All calls block; they may come from any thread and are done one after the other.
public final class Catalog: Sendable {
  /// Who opens it.
  public enum Access: Sendable {
    /// Whoever has the library's lock: sets a damaged catalog aside.
    case holder
    /// Anyone beside a running station.
    case visitor
    /// Anyone who may read the library and not write it: works on a copy in memory.
    case reader
  }

  struct State: ~Copyable, @unchecked Sendable {
    var database: Database
    var replacements = 0
    /// Whether no station can have the library, so that a damaged file is set aside.
    var isHeld = true
  }

  /// The library's directory.
  public let root: String
  let system: any SystemCalls
  let log = Log("library")
  private let access: Access
  private let place: CatalogPlace
  private let state: Mutex<State>

  /// Opens or makes the catalog of the library at `root`.
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

  /// Where it is.
  public static func path(_ root: String) -> String { "\(root)/.retake.catalog" }

  /// How often a damaged catalog was replaced by an empty one.
  public var replacements: Int { state.withLock { $0.replacements } }

  /// Closes the file, which may write to the disk; what is asked from then on finds an empty catalog.
  ///
  /// For an owner that ends while others still hold the object, whose last use would close it.
  public func close() {
    state.withLock { state in
      if let nothing = Catalog.nothing { state.database = nothing }
    }
  }

  /// Notes that a station may have the library from now on, as beside a visitor.
  func letGo() { state.withLock { $0.isHeld = false } }

  private static var nothing: Database? {
    do throws(DatabaseError) {
      return try openSound(":memory:", .holder)
    } catch {
      return nil
    }
  }

  // MARK: Use

  /// Works on the database; a damaged one is made anew, and the call fails once.
  ///
  /// A file that is no sound database is set aside by who has the library's lock. In a sound one
  /// with rows that no station writes all photos are forgotten. In both cases
  /// ``synchronize(album:progress:)`` lists them again from the files.
  func use<Value: Sendable>(
    _ body: (borrowing Database) throws(DatabaseError) -> Value
  ) throws(LibraryError) -> Value {
    let path = place.path
    return try state.withLock { (state) throws(LibraryError) -> Value in
      let lost = LostPages.count
      do throws(DatabaseError) {
        let answer = try body(state.database)
        // An answer that was read while a page was lost means nothing.
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
  /// Reads all of it once, and finds rows that no station writes and pages that are damaged.
  ///
  /// Throws once where there are any, and has begun to make it anew then, as ``use(_:)`` does.
  public func inspect() throws(LibraryError) {
    try use { (database) throws(DatabaseError) in try database.inspect() }
  }
}

extension LibraryError {
  init(_ error: DatabaseError, _ path: String) {
    self.init(
      .failing,
      "the catalog \(path) cannot be used: \(error.message); a start of the station, or 'retake "
        + "photos rebuild' without one, makes it again from the files")
  }
}
