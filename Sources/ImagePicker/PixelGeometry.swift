/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, Codable {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Makes the size; nothing is checked.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A rectangle of whole pixels; the origin is the top left corner of the upright picture.
public struct PixelRect: Hashable, Sendable, Codable {
  /// Pixels between the picture's left edge and the rectangle's.
  public var x: Int
  /// Pixels between the picture's top edge and the rectangle's.
  public var y: Int
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Makes the rectangle; nothing is checked, because it may come from a page.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The extent of it.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether it is not empty and lies within a picture of `size`.
  ///
  /// Any four numbers may be asked about; none of them overflows.
  public func fits(in size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0
      && width <= size.width && x <= size.width - width
      && height <= size.height && y <= size.height - height
  }
}
