import ImagePicker
import Movies
import PhotoLibrary
import Platform

/// A movie under review, whose file viewers can read in parts before it is saved.
public struct ReviewMovie: Sendable {
  /// The candidate of the movie.
  public let candidate: CandidateID
  /// The file's size in bytes.
  public let bytes: Int
  /// The facts about the movie.
  public let report: MovieReport
  /// The width of the pictures as they are shown.
  public let width: Int
  /// The height of the pictures as they are shown.
  public let height: Int
  /// The content type for HTTP.
  public var contentType: String { "video/mp4" }
  private let recording: Recording

  init(candidate: CandidateID, recording: Recording, summary: MovieSummary) {
    self.candidate = candidate
    self.recording = recording
    bytes = summary.bytes
    report = MovieReport(summary)
    (width, height) = (summary.size.width, summary.size.height)
  }

  /// Returns a descriptor of the file, for `pread(2)` or an HTTP server; the caller owns it.
  ///
  /// The descriptor stays valid after the end of the session.
  public func open() throws(SystemError) -> Descriptor { try recording.duplicate() }
}

extension Station {
  /// The movie under review, or `nil` when no movie is under review.
  public var reviewMovie: ReviewMovie? {
    guard case .reviewing(let review)? = core.view.current.snapshot?.state, review.isMovie
    else { return nil }
    return movies.movie(of: review.candidate)
  }
}
