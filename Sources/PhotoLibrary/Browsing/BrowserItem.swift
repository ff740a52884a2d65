/// A picture or a movie that a guest may look at and choose.
public struct BrowserItem: Sendable, Hashable {
  /// The item's unique name, without a space: `booth/IMG_00000001.jpg`.
  ///
  /// The name of an item in a further root begins with a dot and the root's number:
  /// `.1/DCIM/A.JPG`. The name stays the same as long as the file stays in its place.
  public var id: String
  /// The album's ``BrowserAlbum/id``.
  public var album: String
  /// The file's name.
  public var name: String
  /// The file's absolute path.
  public var path: String
  /// The time of the file's last change, by the clock of that moment.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64
  /// The fraction of the second of the file's last change.
  var nanoseconds: UInt32 = 0
  /// The file's size in bytes.
  public var bytes: Int
  /// The number in the name; nil for pictures that came from elsewhere.
  public var number: Int?
  /// The kind of the file, by its name.
  public var kind: PhotoKind { PhotoName.kind(name) }
  /// The item's position in the order of all pictures; a page begins after it.
  public var cursor: BrowserCursor
}

/// The properties of a movie.
public struct MovieFacts: Sendable, Hashable {
  /// The displayed width in pixels; 0 if the file has none.
  public var width: Int
  /// The displayed height in pixels; 0 if the file has none.
  public var height: Int
  /// The movie's length; nil if the file has none.
  public var durationMilliseconds: Int?
}

/// An album and the number of its pictures.
public struct BrowserAlbum: Sendable, Hashable {
  /// The album's unique name, for ``PhotoBrowser/page(before:limit:album:kinds:)``.
  public var id: String
  /// The album's name for people.
  public var name: String
  /// The number of pictures in the album.
  public var count: Int
}

/// A page of pictures, newest first.
public struct BrowserPage: Sendable, Hashable {
  /// The pictures.
  public var items: [BrowserItem]
  /// The start of the next page; nil at the end.
  public var next: BrowserCursor?
  /// The number of pictures on all pages.
  public var count: Int
  /// The files of all pages' albums that cannot be shown.
  public var unshown: UnshownFiles

  /// Creates a page of items.
  public init(
    items: [BrowserItem], next: BrowserCursor?, count: Int, unshown: UnshownFiles = UnshownFiles()
  ) {
    self.items = items
    self.next = next
    self.count = count
    self.unshown = unshown
  }
}

/// A position in the order of all pictures.
///
/// The position stays valid when pictures appear and disappear, even if its own picture does.
public struct BrowserCursor: Sendable, Hashable, CustomStringConvertible {
  let order: PictureOrder

  init(_ order: PictureOrder) { self.order = order }

  /// Parses the text of a ``description``; returns nil for any other text.
  public init?(_ text: String) {
    guard let tilde = text.firstIndex(of: "~"), let time = Int64(text[..<tilde]) else { return nil }
    guard let address = PictureAddress(String(text[text.index(after: tilde)...])) else {
      return nil
    }
    order = PictureOrder(time: time, address: address)
  }

  /// The position as text, for the address of a page.
  public var description: String { "\(order.time)~\(order.address.id)" }
}
