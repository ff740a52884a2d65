import FoundationEssentials
import ImagePicker
import Imaging

/// What a session gave, before anybody has asked for its bytes.
struct Picked: Sendable {
  /// What is known of the photo; nil for what was chosen from a library.
  var report: PhotoReport?
  /// Makes the media; for a photo its bytes are copied then, and not before.
  var media: @Sendable () -> [PickedMedia]

  /// What was chosen from a library.
  init(chosen media: [PickedMedia]) { self.media = { media } }

  /// A movie that is durable, and the photos that were taken while it was recorded.
  init(movie report: PhotoReport, stills: [PhotoReport]) {
    self.report = report
    media = { [PickedMedia(movie: report)] + stills.map { PickedMedia(saved: $0) } }
  }

  /// A photo that is durable, with what the guest made of it.
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

  /// Makes the medium of a photo that is read from its file when it is asked for.
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
