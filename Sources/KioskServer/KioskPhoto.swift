import PhotoLibrary
import Platform

/// What the page knows of a photo.
public struct KioskPhoto: Equatable, Sendable {
  /// Its name among all photos.
  public var id: String
  /// The album's name.
  public var album: String
  /// The file's name.
  public var name: String
  /// Width in pixels; 0 when it is not known.
  public var width: Int
  /// Height in pixels; 0 when it is not known.
  public var height: Int
  /// The file's size in bytes.
  public var bytes: Int
  /// When the file was last changed; nil while the clock was not set.
  ///
  /// Unit: seconds since 1970.
  public var taken: Int64?
  /// Whether it is a movie.
  public var isMovie: Bool
  /// How long a movie is; nil for a picture, and while it is not known.
  public var duration: Duration?

  /// Makes the description of a picture, or of a movie.
  public init(
    id: String, album: String, name: String, width: Int, height: Int, bytes: Int, taken: Int64?,
    isMovie: Bool = false, duration: Duration? = nil
  ) {
    self.id = id
    self.album = album
    self.name = name
    self.width = width
    self.height = height
    self.bytes = bytes
    self.taken = taken
    self.isMovie = isMovie
    self.duration = duration
  }
}

/// Some photos, newest first.
public struct KioskPhotoPage: Equatable, Sendable {
  /// The photos.
  public var photos: [KioskPhoto]
  /// Where the next page begins; nil at the end.
  public var next: String?
  /// How many there are on all pages.
  public var total: Int
  /// How many more there are that no page shows, since there are too many.
  public var omitted: Int
  /// What is there beside them, and cannot be shown.
  public var unshown: UnshownFiles

  /// Makes a page.
  public init(
    photos: [KioskPhoto], next: String?, total: Int, omitted: Int = 0,
    unshown: UnshownFiles = UnshownFiles()
  ) {
    self.omitted = omitted
    self.photos = photos
    self.next = next
    self.total = total
    self.unshown = unshown
  }
}

/// A file that is open for reading, until the object goes.
public final class KioskFile: Sendable {
  /// The descriptor's number.
  public let number: Int32
  /// The file's size in bytes.
  public let size: Int
  /// Changes whenever the file does.
  public let tag: String
  /// Its media type, as in `image/jpeg`.
  public let type: String
  /// Reads and closes it, where its disk may not answer.
  public struct Reader: Sendable {
    /// The thread that waits for the disk.
    public var worker: AbandonableWorker
    /// How long a read may take.
    public var patience: AbandonableWorker.Patience

    /// Makes a reader.
    public init(_ worker: AbandonableWorker, _ patience: AbandonableWorker.Patience) {
      (self.worker, self.patience) = (worker, patience)
    }
  }

  private let system: any SystemCalls
  let reader: Reader?

  /// Takes over an open descriptor; without a reader its disk is one that always answers.
  public init(
    owning number: Int32, size: Int, tag: String, type: String, reader: Reader? = nil,
    system: any SystemCalls = LinuxSystemCalls()
  ) {
    self.reader = reader
    self.number = number
    self.size = size
    self.tag = tag
    self.type = type
    self.system = system
  }

  deinit {
    // The last use may end on the network's thread, and a close may wait for the disk, too.
    guard let reader else {
      _ = system.close(number)
      return
    }
    reader.worker.clean { [number, system] in _ = system.close(number) }
  }

  /// Reads what there is at a place, up to the buffer's size; negative: `-errno`.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    system.retrying { $0.pread(number, buffer, Int64(offset)) }
  }
}

extension KioskPhoto: Encodable {
  private enum Key: String, CodingKey {
    case id, album, name, width, height, bytes, taken, kind, durationMs
  }

  /// Writes it as the page reads it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(album, forKey: .album)
    try container.encode(name, forKey: .name)
    try container.encode(width, forKey: .width)
    try container.encode(height, forKey: .height)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(taken.map(calendarDate), forKey: .taken)
    try container.encode(isMovie ? "movie" : "image", forKey: .kind)
    if let duration {
      try container.encode(Int(duration.milliseconds.rounded()), forKey: .durationMs)
    }
  }
}

extension KioskPhotoPage: Encodable {
  private enum Key: String, CodingKey { case photos, next, total, omitted, unshown }

  /// Writes it as the page reads it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(photos, forKey: .photos)
    try container.encode(next, forKey: .next)
    try container.encode(total, forKey: .total)
    try container.encode(Unshown(unshown), forKey: .unshown)
    try container.encode(omitted, forKey: .omitted)
  }
}

/// Files that cannot be shown, as the page reads them.
private struct Unshown: Encodable {
  var count: Int
  var formats: [String]

  init(_ files: UnshownFiles) { (count, formats) = (files.count, files.formats) }
}
