import CLinux
import FoundationEssentials
import Glibc
import ImagePicker
import Media
import PhotoLibrary
import Platform
import Station
import StationTools

/// The output of `retake pick`.
struct PickOutput: Encodable {
  struct Picture: Encodable {
    var path: String?
    var width: Int
    var height: Int
  }

  struct Medium: Encodable {
    var mediaType: String
    /// The file of the photo.
    var imageURL: String?
    /// The file of the movie.
    var mediaURL: String?
    var originalImage: Picture?
    var editedImage: Picture?
    var cropRect: PixelRect?
    var metadata: [String: String]
  }

  var result: String
  var media: [Medium]?
  var reason: String?
  var problem: Problem?

  struct Problem: Encodable {
    var subject: String?
    var object: String?
    var cause: String
    var fix: String

    private enum CodingKeys: String, CodingKey {
      case subject = "who"
      case object = "what"
      case cause = "why"
      case fix
    }
  }

  static let cancelled = PickOutput(result: "cancelled")

  private init(result: String) { self.result = result }

  init(_ error: PickerError) {
    result = "failed"
    reason = error.reason?.code.rawValue ?? error.code.rawValue
    problem = Problem(
      subject: error.reason?.problem?.subject, object: error.reason?.problem?.object,
      cause: error.reason?.problem?.cause ?? error.message, fix: error.fix)
  }

  /// Creates the output, and writes edited pictures without a file into the directory `edits`.
  ///
  /// With `asRoot`, the files are written as root by a process that has become another user.
  init(_ picked: [PickedMedia], edits: String?, asRoot: Bool) throws {
    result = "finished"
    var media: [Medium] = []
    for one in picked {
      var edited = one.editedImage.map(Picture.init)
      if let image = one.editedImage, image.fileURL == nil, let edits {
        edited?.path = try PickOutput.write(image, one.imageURL, edits, asRoot)
      }
      media.append(
        Medium(
          mediaType: one.mediaType.rawValue, imageURL: one.imageURL?.path,
          mediaURL: one.mediaURL?.path,
          originalImage: one.originalImage.map(Picture.init), editedImage: edited,
          cropRect: one.cropRect,
          metadata: one.mediaMetadata.mapValues { "\($0)" }))
    }
    self.media = media
  }

  /// The lines of the output, each with a medium's file and, after a tab, the edited picture's
  /// file.
  var lines: [String] {
    (media ?? []).map { medium in
      (medium.imageURL ?? medium.mediaURL ?? "").plain
        + (medium.editedImage?.path.map { "\t\($0.plain)" } ?? "")
    }
  }

  // Writes the picture to a new name, so that no existing file is replaced.
  private static func write(
    _ image: StillImage, _ original: URL?, _ directory: String, _ asRoot: Bool
  ) throws -> String {
    let system: any SystemCalls = asRoot ? RaisedSystemCalls() : LinuxSystemCalls()
    let name = original?.deletingPathExtension().lastPathComponent ?? "picture"
    for number in 1...10_000 {
      let path = "\(directory)/\(name)-edited\(number == 1 ? "" : "-\(number)").jpg"
      let there = system.open(path, clinux_o_path | clinux_o_nofollow, 0)
      guard there < 0 else {
        _ = system.close(there)
        continue
      }
      try PictureFile.write([UInt8](image.load()), to: path, system: system)
      return path
    }
    throw StationError(.cannotSave, "'\(directory)' has too many edits of \(name); empty it")
  }
}

extension PickOutput.Picture {
  init(_ image: StillImage) {
    self.init(path: image.fileURL?.path, width: image.size.width, height: image.size.height)
  }
}

/// A line of `retake pick --list`.
struct PickRow: Encodable {
  var id: String
  var album: String
  var name: String
  var path: String
  var modified: Int64
  var bytes: Int
  var kind: String
  /// The length of a movie.
  var durationMilliseconds: Int?

  init(_ item: BrowserItem, _ browser: PhotoBrowser) {
    id = item.id
    album = item.album
    name = item.name
    path = item.path
    modified = item.modified
    bytes = item.bytes
    kind = item.kind.rawValue
    durationMilliseconds = browser.movie(of: item.id)?.durationMilliseconds
  }
}
