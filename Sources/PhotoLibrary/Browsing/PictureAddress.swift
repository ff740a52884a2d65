/// Where a picture lies: root, album below it, name.
///
/// It cannot lead out of the root.
struct PictureAddress: Sendable, Hashable {
  /// 0 is the library's own root.
  var root: Int
  /// The directories below the root, joined by slashes; empty for the root itself.
  var album: String
  var name: String

  init(root: Int, album: String, name: String) {
    self.root = root
    self.album = album
    self.name = name
  }

  /// Reads an ``id``, which may come from outside; nil for what can be none.
  init?(_ id: String) {
    guard id.utf8.count <= 1024 else { return nil }
    var parts = id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    root = 0
    if let first = parts.first, first.hasPrefix(".") {
      guard let number = Int(first.dropFirst()), number > 0, first == ".\(number)" else {
        return nil
      }
      root = number
      parts.removeFirst()
    }
    let isOwn = root == 0
    guard let name = parts.popLast(), PhotoName.isFileName(name),
      PhotoName.isShownPicture(name) || PhotoName.isMovie(name),
      parts.allSatisfy({ PictureAddress.isFolder($0, isOwn: isOwn) }), !isOwn || parts.count == 1
    else { return nil }
    album = parts.joined(separator: "/")
    self.name = name
  }

  /// Whether pictures may lie in a directory of that name: what an album may be called, and outside
  /// of the library names as long as file systems take.
  static func isFolder(_ name: String, isOwn: Bool) -> Bool {
    if LibraryConfiguration.isAlbumName(name) { return true }
    let bytes = name.utf8
    return !isOwn && (65...255).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
  }

  /// Whether it is a photo of the library's own, by its number.
  var isOwnPhoto: Bool { root == 0 && PhotoName.number(name) ?? 0 > 0 }

  /// The name among all pictures.
  var id: String { "\(albumID)/\(name)" }

  /// The name among all albums.
  var albumID: String { PictureAddress.albumID(root: root, album: album) }

  static func albumID(root: Int, album: String) -> String {
    if root == 0 { return album }
    return album.isEmpty ? ".\(root)" : ".\(root)/\(album)"
  }
}

/// The order of pictures: newest first, those of one album by their numbers, whatever the clock was.
///
/// Dates are whole seconds. Of pictures of one second the station's own photos come first: a guest
/// who has just been photographed looks for that photo.
struct PictureOrder: Sendable, Hashable, Comparable {
  /// Of a numbered photo: the latest date of those with lower numbers, so that a clock that was set
  /// back does not mix them up.
  var time: Int64
  var address: PictureAddress

  static func < (lhs: PictureOrder, rhs: PictureOrder) -> Bool {
    if lhs.time != rhs.time { return lhs.time > rhs.time }
    let (left, right) = (lhs.address, rhs.address)
    if left.isOwnPhoto != right.isOwnPhoto { return left.isOwnPhoto }
    if left.root != right.root { return left.root < right.root }
    if left.album != right.album { return left.album < right.album }
    switch (PhotoName.place(left.name), PhotoName.place(right.name)) {
    case (let one?, let two?): return one > two
    case (nil, nil): return left.name < right.name
    case (let one, _): return one != nil
    }
  }
}
