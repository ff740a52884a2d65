/// A button of the booth's panel as the page draws it: a disc of its colour, at its place.
public struct PanelButton: Equatable, Sendable, Encodable {
  /// The button's name in the configuration.
  public var name: String
  /// The button's role: `shutter`, `accept`, `one`, ….
  public var role: String
  /// The action of a short press during a review, where the role alone does not say it; nil: none.
  public var inReview: String?
  /// `red`, `orange`, `yellow`, `green`, `blue`, `white` or `black`.
  public var colour: String
  /// The place on the panel from the left, from 1 on; nil: after the buttons that have one.
  public var column: Int?
  /// The place on the panel from the top, from 1 on.
  public var row: Int
  /// The role of the lamp inside of the button; nil: there is none.
  public var lamp: String?

  /// Makes a button in the panel's first row, without a lamp.
  public init(name: String, role: String, colour: String, column: Int? = nil, row: Int = 1) {
    (self.name, self.role, self.colour) = (name, role, colour)
    (self.column, self.row) = (column, row)
  }

  private enum Key: String, CodingKey { case name, role, inReview, colour, column, row, lamp }

  /// Writes every member; a missing one is null.
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
