/// A width and a height in pixels.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of pixels in a row.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a size without checking it.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether the height is larger than the width.
  public var isPortrait: Bool { height > width }

  /// The size after a quarter turn.
  public var turned: PixelSize { PixelSize(width: height, height: width) }

  /// The text form, as in `1280x720`.
  public var description: String { "\(width)x\(height)" }

  /// Parses text like `1280x720`; returns nil for other text, and for sides below 1 or above 65535.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (1...65535).contains(width), (1...65535).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

/// A rectangle of whole pixels, whose coordinates start at the picture's top left corner.
public struct PixelRect: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The leftmost column.
  public var x: Int
  /// The topmost row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a rectangle without checking it, because a page may have sent any numbers.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The width and height of the rectangle.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// Parses text like `437,0,405,720`; returns nil for other text, for an empty rectangle, and for
  /// numbers above 65535.
  public init?(_ text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Int($0) ?? -1
    }
    guard numbers.count == 4, numbers.allSatisfy({ (0...65535).contains($0) }), numbers[2] > 0,
      numbers[3] > 0
    else { return nil }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// The text form with x, y, width and height, as in `437,0,405,720`.
  public var description: String { "\(x),\(y),\(width),\(height)" }

  /// Returns whether the rectangle has pixels and lies within a picture of `size`.
  ///
  /// Any four numbers are allowed; the check never overflows.
  public func fits(in size: PixelSize) -> Bool {
    x >= 0 && y >= 0 && width > 0 && height > 0
      && width <= size.width && x <= size.width - width
      && height <= size.height && y <= size.height - height
  }
}
