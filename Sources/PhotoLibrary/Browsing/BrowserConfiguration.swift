/// Which pictures a guest may look through.
public struct BrowserConfiguration: Sendable, Equatable {
  /// The library's own directory, with an album in each directory below it; absolute.
  public var root: String
  /// The album that this station saves to.
  public var album: String
  /// Further directories whose pictures are shown, such as a stick's; absolute.
  ///
  /// Each may come and go. Pictures may lie in them and up to three directories deep.
  public var roots: [String]
  /// The only albums that may be shown; nil: all of them.
  public var albums: [String]?

  /// Makes a choice; by default the library's own albums, all of them.
  public init(root: String, album: String, roots: [String] = [], albums: [String]? = nil) {
    self.root = root
    self.album = album
    self.roots = roots
    self.albums = albums
  }

  /// The directories in their order; the library's own is the first.
  var places: [String] { [root] + roots }

  /// Whether an album, by its path below a root, may be shown.
  ///
  /// A name allows what is below it, too. A person wrote it, so that it stands for every directory
  /// whose name reads the same, however the letters are composed.
  func allows(_ album: String, ofRoot index: Int) -> Bool {
    guard let albums else { return true }
    let name = BrowserConfiguration.name(ofRoot: places[index])
    let path = album.isEmpty ? name : album
    return albums.contains { $0 == path || path.hasPrefix("\($0)/") || ($0 == name && index > 0) }
  }

  /// What a root is called: its last directory.
  static func name(ofRoot path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
