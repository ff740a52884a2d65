import FoundationEssentials
import ImagePicker
import Imaging
import Media
import PhotoLibrary
import Platform
import StationConfiguration

/// Reads the pictures that a guest chose and applies the edits; blocks.
///
/// Every picture is opened once, one at a time, so that a missing one is found. Pictures are not
/// kept; each is read again when the caller asks for it. Edits are kept up to
/// ``MemoryBudget/chosenPictures`` bytes, and further edits are made again.
struct PhotoCollector: ~Copyable {
  private let allowsMovies: Bool
  private let budget: Int
  private var editor = PictureEditor()
  /// The number of bytes of the kept edits.
  private var held = 0

  init(allowsMovies: Bool, keeping budget: Int = MemoryBudget.chosenPictures) {
    self.allowsMovies = allowsMovies
    self.budget = budget
  }

  /// Returns all chosen pictures in their order, or throws the reason.
  ///
  /// The function calls `isWanted` before each picture, and throws when it returns false.
  mutating func collect(
    _ choices: [PickerChoice], from browser: PhotoBrowser, while isWanted: () -> Bool = { true }
  ) throws(PickerReason) -> [PickedMedia] {
    var media: [PickedMedia] = []
    for choice in choices {
      guard isWanted() else { throw PickerReason(.libraryUnavailable) }
      media.append(try read(choice, browser))
    }
    return media
  }

  /// Returns the reason for which a picture cannot be chosen, or `nil`.
  static func problem(
    of id: ItemID, in browser: PhotoBrowser, allowsMovies: Bool = false
  ) -> PickerReason? {
    do throws(LibraryError) {
      if browser.item(id.rawValue)?.kind == .movie {
        guard allowsMovies else { return .moviesNotWanted }
        guard browser.movie(of: id.rawValue) == nil else { return nil }
        // The file is closed at once; opening it throws the reason when it cannot be opened.
        try browser.open(id.rawValue).close()
        return PickerReason(
          picture: id,
          StillError(
            .unsupported, "it is no movie",
            fix: "choose another one"))
      }
      let bytes = try browser.original(of: id.rawValue)
      let error = bytes.withUnsafeBytes { bytes -> StillError? in
        do throws(StillError) {
          _ = try PictureEditor.size(of: bytes)
          return nil
        } catch {
          return error
        }
      }
      return error.map { PickerReason(picture: id, $0) }
    } catch {
      return PickerReason(picture: id, error)
    }
  }

  private mutating func read(
    _ choice: PickerChoice, _ browser: PhotoBrowser
  ) throws(PickerReason) -> PickedMedia {
    let id = choice.item.rawValue
    if let item = browser.item(id), item.kind == .movie {
      // The check after the selection may come later than the guest's last press.
      if let problem = PhotoCollector.problem(
        of: choice.item, in: browser, allowsMovies: allowsMovies)
      {
        throw problem
      }
      var metadata: [String: any Sendable] = [
        "item": id, "album": item.album, "name": item.name, "modified": item.modified,
      ]
      metadata["durationMilliseconds"] = browser.movie(of: id)?.durationMilliseconds
      return PickedMedia(
        mediaType: .movie, mediaURL: URL(fileURLWithPath: item.path), mediaMetadata: metadata)
    }
    let bytes: [UInt8]
    do {
      bytes = try browser.original(of: id)
    } catch {
      throw PickerReason(picture: choice.item, error)
    }
    guard let item = browser.item(id) else {
      throw PickerReason(picture: choice.item, LibraryError.gone(id))
    }
    do {
      let upright = try bytes.withBytes { (bytes) throws(StillError) in try editor.upright(bytes) }
      let size = upright.size
      var edited: StillImage?
      let edit = try PictureEdit(choice.edit, in: size.width, size.height)
      if let edit {
        // The edit uses the original file, which has all pixels and may allow a lossless turn.
        let still = try bytes.withBytes { (bytes) throws(StillError) in
          try edit.apply(bytes, &editor, metadata: PhotoCollector.metadata)
        }
        edited = keep(still) ?? StillImage(again: id, edit, still.size, of: size, from: browser)
      }
      let url = URL(fileURLWithPath: item.path)
      return PickedMedia(
        originalImage: StillImage(again: id, of: size, at: url, from: browser),
        editedImage: edited, cropRect: edit?.crop, imageURL: url,
        mediaMetadata: [
          "item": id, "album": item.album, "name": item.name, "modified": item.modified,
        ])
    } catch {
      throw PickerReason(picture: choice.item, error)
    }
  }

  /// Keeps an edit in memory; returns `nil` when the budget is used up.
  private mutating func keep(_ still: Still) -> StillImage? {
    guard held + still.count <= budget else { return nil }
    held += still.count
    return StillImage(still, at: nil)
  }

  static var metadata: StillMetadata {
    var metadata = StillMetadata()
    metadata.software = Retake.software
    return metadata
  }
}

extension LibraryError {
  static func gone(_ id: String) -> LibraryError {
    LibraryError(
      .notFound, "the picture \(id) is gone",
      fix: "choose another one")
  }
}

extension PickerReason {
  fileprivate static let moviesNotWanted = PickerReason(
    .moviesUnavailable,
    problem: AccessProblem(
      subject: "this session", object: "movies", cause: "it is for pictures only",
      fix: "put .movie into mediaTypes"))
}
