/// A picture or a movie that a guest may look at and choose.
public struct BrowserItem: Sendable, Hashable {
  /// Its name among all of them, without a space: `booth/IMG_00000001.jpg`.
  ///
  /// What lies in a further root begins with a dot and the root's number: `.1/DCIM/A.JPG`. It stays
  /// the same as long as the file stays where it is.
  public var id: String
  /// The album's ``BrowserAlbum/id``.
  public var album: String
  /// The file's name.
  public var name: String
  /// The file's absolute path.
  public var path: String
  /// When the file was last changed, by the clock of then.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64
  /// Of the second in which it was changed.
  var nanoseconds: UInt32 = 0
  /// The file's size in bytes.
  public var bytes: Int
  /// The number in the name; nil for pictures that came from elsewhere.
  public var number: Int?
  /// What it is, by its name.
  public var kind: PhotoKind { PhotoName.kind(name) }
  /// Where the item lies in the order of all; a page begins after it.
  public var cursor: BrowserCursor
}

/// What is known of a movie.
public struct MovieFacts: Sendable, Hashable {
  /// Width as it is shown, in pixels; 0 if it does not say.
  public var width: Int
  /// Height as it is shown, in pixels; 0 if it does not say.
  public var height: Int
  /// How long it is; nil where nothing in it says so.
  public var durationMilliseconds: Int?
}

/// An album with what can be shown of it.
public struct BrowserAlbum: Sendable, Hashable {
  /// Its name among all of them: what ``PhotoBrowser/page(before:limit:album:)`` takes.
  public var id: String
  /// What people call it.
  public var name: String
  /// How many pictures it has.
  public var count: Int
}

/// Some pictures, newest first.
public struct BrowserPage: Sendable, Hashable {
  /// The pictures.
  public var items: [BrowserItem]
  /// Where the next page begins; nil at the end.
  public var next: BrowserCursor?
  /// How many pictures there are on all pages.
  public var count: Int
  /// What is there beside the pictures of all pages, and cannot be shown.
  public var unshown: UnshownFiles

  /// Makes a page of items.
  public init(
    items: [BrowserItem], next: BrowserCursor?, count: Int, unshown: UnshownFiles = UnshownFiles()
  ) {
    self.items = items
    self.next = next
    self.count = count
    self.unshown = unshown
  }
}

/// A place in the order of all pictures.
///
/// It stays right when pictures come and go, also the one it was made of.
public struct BrowserCursor: Sendable, Hashable, CustomStringConvertible {
  let order: PictureOrder

  init(_ order: PictureOrder) { self.order = order }

  /// Reads what ``description`` wrote; nil for anything else.
  public init?(_ text: String) {
    guard let tilde = text.firstIndex(of: "~"), let time = Int64(text[..<tilde]) else { return nil }
    guard let address = PictureAddress(String(text[text.index(after: tilde)...])) else {
      return nil
    }
    order = PictureOrder(time: time, address: address)
  }

  /// As text, for addresses of pages.
  public var description: String { "\(order.time)~\(order.address.id)" }
}
