import ImagePicker
import Movies
import PhotoLibrary
import Platform

/// A movie under review, for who shows it: bytes that can be read by parts, exactly as saved.
public struct ReviewMovie: Sendable {
  /// Its candidate.
  public let candidate: CandidateID
  /// The file's size in bytes.
  public let bytes: Int
  /// What is known of it.
  public let report: MovieReport
  /// Width of its pictures as they are shown.
  public let width: Int
  /// Height of its pictures as they are shown.
  public let height: Int
  /// What HTTP calls it.
  public var contentType: String { "video/mp4" }
  private let recording: Recording

  init(candidate: CandidateID, recording: Recording, summary: MovieSummary) {
    self.candidate = candidate
    self.recording = recording
    bytes = summary.bytes
    report = MovieReport(summary)
    (width, height) = (summary.size.width, summary.size.height)
  }

  /// A descriptor of the file, for `pread(2)` or as an HTTP server wants it; the caller's to close.
  ///
  /// It stays good after the session is over.
  public func open() throws(SystemError) -> Descriptor { try recording.duplicate() }
}

extension Station {
  /// The movie under review; nil: a photo is, or nothing.
  public var reviewMovie: ReviewMovie? {
    guard case .reviewing(let review)? = core.view.current.snapshot?.state, review.isMovie
    else { return nil }
    return movies.movie(of: review.candidate)
  }
}
