import Platform

/// The place of a picture: the root, the album below it and the file's name.
///
/// An address cannot lead out of its root.
struct PictureAddress: Sendable {
  /// The root's number; 0 is the library's own root.
  var root: Int
  /// The directories below the root, joined by slashes; empty for the root itself.
  var album: String
  var name: String

  init(root: Int, album: String, name: String) {
    self.root = root
    self.album = album
    self.name = name
  }

  /// Parses an ``id`` from an untrusted source; returns nil for an invalid one.
  init?(_ id: String) {
    guard id.utf8.count <= 1024 else { return nil }
    var parts = id.pathParts
    root = 0
    if let first = parts.first, let digits = first.bytes(after: ".") {
      guard let number = Int(digits), number > 0, first == ".\(number)" else {
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

  /// Returns whether pictures may lie in a directory of that name.
  ///
  /// In the library the name must be valid for an album. Elsewhere every name without a leading dot
  /// will do, even one with control characters, which are escaped wherever the name is shown.
  static func isFolder(_ name: String, isOwn: Bool) -> Bool {
    if LibraryConfiguration.isAlbumName(name) { return true }
    let bytes = name.utf8
    return !isOwn && !name.hasBytes(of: "lost+found") && (1...255).contains(bytes.count)
      && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "/") }
  }

  /// Whether the file is a photo of the library's own, by its number.
  var isOwnPhoto: Bool { root == 0 && PhotoName.number(name) ?? 0 > 0 }

  /// The picture's unique name.
  var id: String { "\(albumID)/\(name)" }

  /// The directories below the root, from the top.
  var folders: [String] { album.isEmpty ? [] : album.pathParts }

  /// The album's unique name.
  var albumID: String { PictureAddress.albumID(root: root, album: album) }

  static func albumID(root: Int, album: String) -> String {
    if root == 0 { return album }
    return album.isEmpty ? ".\(root)" : ".\(root)/\(album)"
  }
}

extension PictureAddress: Hashable {
  static func == (lhs: PictureAddress, rhs: PictureAddress) -> Bool {
    lhs.root == rhs.root && lhs.album.hasBytes(of: rhs.album) && lhs.name.hasBytes(of: rhs.name)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(root)
    hasher.combine(FileName(album))
    hasher.combine(FileName(name))
  }
}

/// The order of pictures: newest first, and within an album by their numbers, whatever the clock
/// was.
///
/// Dates are whole seconds. Among pictures of the same second the station's own photos come first,
/// because a guest who has just been photographed looks for that photo.
struct PictureOrder: Sendable, Hashable, Comparable {
  /// The file's date; for a numbered photo, the latest date of those with lower or equal numbers.
  ///
  /// So a clock that was set back does not mix up the photos.
  var time: Int64
  var address: PictureAddress

  static func < (lhs: PictureOrder, rhs: PictureOrder) -> Bool {
    if lhs.time != rhs.time { return lhs.time > rhs.time }
    let (left, right) = (lhs.address, rhs.address)
    if left.isOwnPhoto != right.isOwnPhoto { return left.isOwnPhoto }
    if left.root != right.root { return left.root < right.root }
    let (album, other) = (FileName(left.album), FileName(right.album))
    if album != other { return album < other }
    switch (PhotoName.place(left.name), PhotoName.place(right.name)) {
    case (let one?, let two?): return one > two
    case (nil, nil): return FileName(left.name) < FileName(right.name)
    case (let one, _): return one != nil
    }
  }
}
