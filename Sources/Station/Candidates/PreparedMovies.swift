import ImagePicker
import PhotoLibrary

/// Complete movie files under review, each with the photos that were taken during its recording.
///
/// A photo is held as its file and size, without its bytes.
struct PreparedMovies: Sendable {
  /// The maximum number of photos beside one movie, since each photo holds a file open.
  static let mostStills = 32

  /// A written file that has no name yet.
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

  /// Adds a photo beside a movie; returns the oldest photo if the new one displaced it.
  mutating func addStill(_ still: Piece, of candidate: CandidateID) -> Piece? {
    stills[candidate, default: CappedList(most: Self.mostStills)].append(still)
  }

  /// Removes and returns a movie; returns `nil` when the candidate is no movie.
  mutating func take(_ candidate: CandidateID) -> Whole? {
    guard let movie = movies.removeValue(forKey: candidate) else { return nil }
    return Whole(movie: movie, stills: stills.removeValue(forKey: candidate)?.elements ?? [])
  }

  /// Discards the files of a candidate.
  mutating func drop(_ candidate: CandidateID, _ library: PhotoLibrary?) {
    let pieces =
      (stills.removeValue(forKey: candidate)?.elements ?? [])
      + (movies.removeValue(forKey: candidate).map { [$0] } ?? [])
    for case .success(let file) in pieces.map(\.file) { library?.discard(file) }
  }
}
