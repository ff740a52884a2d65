import ImagePicker
import Imaging
import PhotoLibrary

// The guest's edit of a photo, saved beside the photo.
extension CandidateStore {
  /// The edited picture, written to a file that has no name yet.
  struct Edited {
    var edit: PictureEdit
    var still: Still
    var file: Candidate

    func report(at path: String) -> PhotoReport.Edited {
      PhotoReport.Edited(
        path: path, width: still.size.width, height: still.size.height, crop: edit.crop,
        turns: edit.turns, isLossless: still.isLossless)
    }
  }

  func edited(
    _ prepared: Prepared, _ edit: PictureEdit?, _ library: PhotoLibrary
  ) throws(LibraryError) -> Edited? {
    guard let edit else { return nil }
    var editor = PictureEditor()
    let still: Still
    do {
      still = try prepared.still.withPicture { (bytes) throws(StillError) in
        try edit.apply(bytes, &editor, metadata: prepared.metadata)
      }
    } catch {
      throw LibraryError(.failing, "the edited picture could not be made: \(error)")
    }
    return Edited(edit: edit, still: still, file: try write(still, library).get())
  }
}
