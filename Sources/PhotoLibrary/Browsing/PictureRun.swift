/// The pictures of one directory in their order, and a page's position among them.
struct PictureRun {
  let root: Int
  let album: String
  let entries: [PictureDirectory.Entry]
  private let kinds: Set<PhotoKind>
  private var position = 0
  private(set) var head: PictureOrder

  /// Creates a run of at least one entry; only entries of `kinds` are shown.
  init(
    root: Int, album: String, entries: [PictureDirectory.Entry],
    kinds: Set<PhotoKind> = Set(PhotoKind.allCases)
  ) {
    self.root = root
    self.album = album
    self.entries = entries
    self.kinds = kinds
    head = PictureRun.order(entries[0], root, album)
    move(to: 0)
  }

  var isAtEnd: Bool { position >= entries.count }

  /// Moves to the first entry after `order`.
  mutating func skip(to order: PictureOrder) {
    var (low, high) = (position, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if order < PictureRun.order(entries[middle], root, album) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    move(to: low)
  }

  mutating func advance() { move(to: position + 1) }

  private mutating func move(to next: Int) {
    position = next
    while !isAtEnd, !kinds.contains(entries[position].kind) { position += 1 }
    if !isAtEnd { head = PictureRun.order(entries[position], root, album) }
  }

  /// Returns the item at the position, below the root's `path`.
  func item(below path: String) -> BrowserItem {
    let entry = entries[position]
    let address = head.address
    let directory = album.isEmpty ? path : "\(path)/\(album)"
    return BrowserItem(
      id: address.id, album: address.albumID, name: address.name,
      path: "\(directory)/\(address.name)", modified: entry.modified,
      nanoseconds: entry.nanoseconds, bytes: entry.bytes,
      number: entry.place > 0 ? Int(entry.place / 2) : nil, cursor: BrowserCursor(head))
  }

  private static func order(
    _ entry: PictureDirectory.Entry, _ root: Int, _ album: String
  ) -> PictureOrder {
    PictureOrder(
      time: entry.time, address: PictureAddress(root: root, album: album, name: entry.fileName))
  }
}
