import FoundationEssentials
import ImagePicker
import Imaging

/// The result of a session, whose bytes are copied on demand.
struct Picked: Sendable {
  /// The report of the photo or movie, or `nil` for pictures of a library.
  var report: PhotoReport?
  /// The closure that creates the media, and copies the bytes of a photo.
  var media: @Sendable () -> [PickedMedia]

  /// Creates the result of a choice from a library.
  init(chosen media: [PickedMedia]) { self.media = { media } }

  /// Creates the result of a durable movie, with the photos taken during its recording.
  init(movie report: PhotoReport, stills: [PhotoReport]) {
    self.report = report
    media = { [PickedMedia(movie: report)] + stills.map { PickedMedia(saved: $0) } }
  }

  /// Creates the result of a durable photo, with the guest's edit.
  init(_ report: PhotoReport, still: Still?, edited: Still?) {
    self.report = report
    media = { [PickedMedia(report, still: still, edited: edited)] }
  }
}

extension PickedMedia {
  init(movie report: PhotoReport) {
    self.init(
      mediaType: .movie, mediaURL: URL(fileURLWithPath: report.path),
      mediaMetadata: [
        "camera": report.camera, "width": report.width, "height": report.height,
        "durationMilliseconds": report.movie?.durationMilliseconds ?? 0,
        "frames": report.movie?.frames ?? 0, "codec": report.movie?.codec ?? "",
      ])
  }

  /// Creates the medium of a photo whose file is read on demand.
  init(saved report: PhotoReport) {
    self.init(report, still: nil, edited: nil)
    let url = URL(fileURLWithPath: report.path)
    originalImage = StillImage(
      size: PixelSize(width: report.width, height: report.height), fileURL: url
    ) { try Data(contentsOf: url) }
  }

  init(_ report: PhotoReport, still: Still?, edited: Still?) {
    let url = URL(fileURLWithPath: report.path)
    self.init(
      originalImage: still.map { StillImage($0, at: report.path) },
      editedImage: edited.map { StillImage($0, at: report.edited?.path) },
      cropRect: report.edited?.crop, imageURL: url,
      mediaMetadata: [
        "camera": report.camera, "deltaMilliseconds": report.deltaMilliseconds,
        "sequence": Int(report.sequence),
      ])
  }
}

extension StillImage {
  init(_ still: Still, at path: String?) {
    self.init(
      jpegData: Data(still.bytes()), size: still.size,
      fileURL: path.map { URL(fileURLWithPath: $0) })
  }
}
