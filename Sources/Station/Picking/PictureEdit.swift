import ImagePicker
import Imaging
import Media

/// A guest's edit, limited to the picture's bounds.
///
/// The edit comes from a page, so it may hold any numbers. The numbers are pixels of the upright
/// original, in whatever size the page shows it.
struct PictureEdit: Sendable, Equatable {
  /// The crop, or `nil` for the whole picture.
  var crop: PixelRect?
  /// The number of quarter turns clockwise.
  var turns: Int

  /// Creates the edit of a picture of that upright size; `nil` when the edit changes nothing.
  ///
  /// A part of the crop outside the picture is cut off. Throws `badCrop` for a crop that lies
  /// wholly outside the picture.
  init?(_ edit: PickerEdit?, in width: Int, _ height: Int) throws(StillError) {
    guard let edit else { return nil }
    turns = edit.quarterTurns
    if let box = edit.crop {
      guard let part = PictureEdit.clip(box, width, height) else {
        throw StillError(
          .badCrop,
          "the crop \(box.width)x\(box.height) at \(box.x),\(box.y) is outside the picture, which is \(width)x\(height)",
          fix: "choose one inside")
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

  /// Returns the edit, or the error that prevents it, or neither when the edit changes nothing.
  static func held(
    _ edit: PickerEdit?, in width: Int, _ height: Int
  ) -> (edit: PictureEdit?, refusal: StillError?) {
    do throws(StillError) {
      return (try PictureEdit(edit, in: width, height), nil)
    } catch {
      return (nil, error)
    }
  }

  /// Applies the edit to `picture`, which is a whole file.
  func apply(
    _ picture: UnsafeRawBufferPointer, _ editor: inout PictureEditor, metadata: StillMetadata? = nil
  ) throws(StillError) -> Still {
    try editor.edited(picture, crop: crop, turns: turns, metadata: metadata)
  }
}
