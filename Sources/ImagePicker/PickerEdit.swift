/// What the guest did to a picture: a crop box, and turns by a quarter.
public struct PickerEdit: Hashable, Sendable, Codable {
  /// The part that stays, in the original's pixels; nil: all of it.
  ///
  /// It comes from a page, so whoever renders it asks `PixelRect.fits(in:)` first.
  public var crop: PixelRect?
  /// Quarter turns clockwise, applied after the crop: 0, 1, 2 or 3.
  public private(set) var quarterTurns: Int

  /// Makes the edit; `quarterTurns` may be any number and is brought to 0 through 3.
  public init(crop: PixelRect? = nil, quarterTurns: Int = 0) {
    self.crop = crop
    self.quarterTurns = ((quarterTurns % 4) + 4) % 4
  }

  /// Reads an edit that a page sent; the turns may be any number there too.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      crop: try container.decodeIfPresent(PixelRect.self, forKey: .crop),
      quarterTurns: try container.decodeIfPresent(Int.self, forKey: .quarterTurns) ?? 0)
  }
}

/// One chosen photo of a library, with what the guest did to it.
public struct PickerChoice: Hashable, Sendable {
  /// The photo.
  public var item: ItemID
  /// What was done to it; nil: nothing.
  public var edit: PickerEdit?

  /// Makes the choice of `item`.
  public init(item: ItemID, edit: PickerEdit? = nil) {
    self.item = item
    self.edit = edit
  }
}
