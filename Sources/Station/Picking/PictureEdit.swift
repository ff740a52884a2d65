import ImagePicker
import Imaging
import Media

/// What a guest did to a picture, held to that picture.
///
/// It comes from a page, so any numbers may be in it. They are pixels of the original as it is
/// shown, whatever size it is shown in.
struct PictureEdit: Sendable, Equatable {
  /// The part that stays; nil: all of it.
  var crop: PixelRect?
  /// Quarter turns clockwise.
  var turns: Int

  /// Nil if nothing is left to do to a picture of that size, as it is shown.
  ///
  /// What lies outside the picture is left out. Throws `badCrop` for a box that does not meet the
  /// picture at all.
  init?(_ edit: PickerEdit?, in width: Int, _ height: Int) throws(StillError) {
    guard let edit else { return nil }
    turns = edit.quarterTurns
    if let box = edit.crop {
      guard let part = PictureEdit.clip(box, width, height) else {
        throw StillError(
          .badCrop,
          "the crop \(box.width)x\(box.height) at \(box.x),\(box.y) is outside the picture, "
            + "which is \(width)x\(height); choose one inside")
      }
      crop = part
    }
    if crop == PixelRect(x: 0, y: 0, width: width, height: height) { crop = nil }
    if crop == nil, turns == 0 { return nil }
  }

  private static func clip(
    _ box: PixelRect, _ width: Int, _ height: Int
  ) -> PixelRect? {
    func span(_ start: Int, _ count: Int, _ limit: Int) -> (Int, Int)? {
      let (end, overflow) = start.addingReportingOverflow(max(0, count))
      let low = max(0, start)
      let high = min(limit, overflow ? limit : end)
      return low < high ? (low, high - low) : nil
    }
    guard let (x, across) = span(box.x, box.width, width),
      let (y, down) = span(box.y, box.height, height)
    else { return nil }
    return PixelRect(x: x, y: y, width: across, height: down)
  }

  /// The edit, or why it cannot be done; neither where there is nothing to do.
  static func held(
    _ edit: PickerEdit?, in width: Int, _ height: Int
  ) -> (edit: PictureEdit?, refusal: StillError?) {
    do throws(StillError) {
      return (try PictureEdit(edit, in: width, height), nil)
    } catch {
      return (nil, error)
    }
  }

  /// Does it; `picture` is a whole file.
  func apply(
    _ picture: UnsafeRawBufferPointer, _ editor: inout PictureEditor, metadata: StillMetadata? = nil
  ) throws(StillError) -> Still {
    try editor.edited(picture, crop: crop, turns: turns, metadata: metadata)
  }
}

extension PickerReason {
  /// Why a photo was saved without the edit that was asked for.
  init(edit error: StillError, of path: String) {
    self.init(
      .saveFailed,
      problem: AccessProblem(
        who: "the station", what: "the edit of \(path), which is saved as it was taken",
        why: error.cause ?? "it cannot be made", fix: error.message))
  }
}
