/// The pictures that a guest may look through.
public struct BrowserConfiguration: Sendable, Equatable {
  /// The library's own directory, with an album in each directory below it; absolute.
  public var root: String
  /// The album that this station saves to.
  public var album: String
  /// Further directories whose pictures are shown, such as a USB stick's; absolute.
  ///
  /// Each may appear and disappear. Pictures may lie in them and up to three directories deep.
  public var roots: [String]
  /// The only albums that may be shown; nil for all of them.
  public var albums: [String]?

  /// Creates a configuration, by default of all the library's own albums.
  public init(root: String, album: String, roots: [String] = [], albums: [String]? = nil) {
    self.root = root
    self.album = album
    self.roots = roots
    self.albums = albums
  }

  /// The directories in their order, the library's own first.
  var places: [String] { [root] + roots }

  /// Returns whether an album, by its path below a root, may be shown.
  ///
  /// An allowed name also allows the directories below it. A person wrote the name, so the
  /// comparison is by characters: it matches however the letters are composed.
  func allows(_ album: String, ofRoot index: Int) -> Bool {
    guard let albums else { return true }
    let name = BrowserConfiguration.name(ofRoot: places[index])
    let path = album.isEmpty ? name : album
    return albums.contains { $0 == path || path.hasPrefix("\($0)/") || ($0 == name && index > 0) }
  }

  /// Returns the name of a root for people: its last directory.
  static func name(ofRoot path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
