import ImagePicker
import PhotoLibrary

/// Movies whose files are whole, each with the photos that were taken while it was recorded.
///
/// They wait for the guest's decision. A photo is held as its file and size, not as its bytes.
struct PreparedMovies: Sendable {
  /// How many photos beside one movie are kept: each holds a file open.
  static let maxStills = 32

  /// A file that is written and has no name yet.
  struct Piece: Sendable {
    var report: PhotoReport
    var file: Result<Candidate, LibraryError>
  }

  /// A movie with its photos, the oldest first.
  struct Whole: Sendable {
    var movie: Piece
    var stills: [Piece]
  }

  private var movies: [CandidateID: Piece] = [:]
  private var stills: [CandidateID: CappedList<Piece>] = [:]

  /// Adds a movie.
  mutating func add(_ movie: Piece, of candidate: CandidateID) { movies[candidate] = movie }

  /// Adds a photo beside a movie; returns the oldest one where there are too many.
  mutating func addStill(_ still: Piece, of candidate: CandidateID) -> Piece? {
    stills[candidate, default: CappedList(limit: Self.maxStills)].append(still)
  }

  /// Takes a movie out; nil where the candidate is none.
  mutating func take(_ candidate: CandidateID) -> Whole? {
    guard let movie = movies.removeValue(forKey: candidate) else { return nil }
    return Whole(movie: movie, stills: stills.removeValue(forKey: candidate)?.elements ?? [])
  }

  /// Lets the files of a candidate go.
  mutating func drop(_ candidate: CandidateID, _ library: PhotoLibrary?) {
    let pieces =
      (stills.removeValue(forKey: candidate)?.elements ?? [])
      + (movies.removeValue(forKey: candidate).map { [$0] } ?? [])
    for case .success(let file) in pieces.map(\.file) { library?.discard(file) }
  }
}
