/// A guest's edit of a picture: a crop box and quarter turns.
public struct PickerEdit: Hashable, Sendable, Codable {
  /// The rectangle to keep, in the original's pixels; nil keeps the whole picture.
  ///
  /// The rectangle comes from a page, so code that renders it checks `PixelRect.fits(in:)` first.
  public var crop: PixelRect?
  /// Quarter turns clockwise, applied after the crop: 0, 1, 2 or 3.
  public private(set) var quarterTurns: Int

  /// Creates an edit; `quarterTurns` may be any number and is reduced modulo 4 to 0 through 3.
  public init(crop: PixelRect? = nil, quarterTurns: Int = 0) {
    self.crop = crop
    self.quarterTurns = ((quarterTurns % 4) + 4) % 4
  }

  /// Decodes an edit that a page sent, in which the turns may be any number as well.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      crop: try container.decodeIfPresent(PixelRect.self, forKey: .crop),
      quarterTurns: try container.decodeIfPresent(Int.self, forKey: .quarterTurns) ?? 0)
  }
}

/// One chosen photo of a library, with the guest's edit of it.
public struct PickerChoice: Hashable, Sendable {
  /// The photo.
  public var item: ItemID
  /// The edit of the photo; nil if it was not edited.
  public var edit: PickerEdit?

  /// Creates a choice of `item`.
  public init(item: ItemID, edit: PickerEdit? = nil) {
    self.item = item
    self.edit = edit
  }
}
