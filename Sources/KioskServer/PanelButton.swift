/// A button of the booth's panel, which the page draws as a disc of its colour at its place.
public struct PanelButton: Equatable, Sendable, Encodable {
  /// The button's name in the configuration.
  public var name: String
  /// The button's role: `shutter`, `accept`, `one`, ….
  public var role: String
  /// The action of a short press during a review, if the role alone does not tell it; nil for none.
  public var inReview: String?
  /// The colour: `red`, `orange`, `yellow`, `green`, `blue`, `white` or `black`.
  public var colour: String
  /// The column on the panel, from 1 at the left; nil for a place after the buttons that have one.
  public var column: Int?
  /// The row on the panel, from 1 at the top.
  public var row: Int
  /// The role of the lamp inside the button; nil for none.
  public var lamp: String?

  /// Creates a button, by default in the panel's first row, without a lamp.
  public init(name: String, role: String, colour: String, column: Int? = nil, row: Int = 1) {
    (self.name, self.role, self.colour) = (name, role, colour)
    (self.column, self.row) = (column, row)
  }

  private enum Key: String, CodingKey { case name, role, inReview, colour, column, row, lamp }

  /// Encodes every member; a missing one is null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encode(role, forKey: .role)
    try container.encode(inReview, forKey: .inReview)
    try container.encode(colour, forKey: .colour)
    try container.encode(column, forKey: .column)
    try container.encode(row, forKey: .row)
    try container.encode(lamp, forKey: .lamp)
  }
}
