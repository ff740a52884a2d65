import PhotoLibrary
import Platform

/// A photo's description for the page.
public struct KioskPhoto: Equatable, Sendable {
  /// The photo's unique name.
  public var id: String
  /// The album's name.
  public var album: String
  /// The file's name.
  public var name: String
  /// The width in pixels; 0 if unknown.
  public var width: Int
  /// The height in pixels; 0 if unknown.
  public var height: Int
  /// The file's size in bytes.
  public var bytes: Int
  /// The time of the file's last change; nil if the clock was not set then.
  ///
  /// Unit: seconds since 1970.
  public var taken: Int64?
  /// Whether the file is a movie.
  public var isMovie: Bool
  /// The length of a movie; nil if unknown, and for a picture.
  public var duration: Duration?

  /// Creates the description of a picture or a movie.
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

/// A page of photos, newest first.
public struct KioskPhotoPage: Equatable, Sendable {
  /// The photos.
  public var photos: [KioskPhoto]
  /// The cursor of the next page; nil at the end.
  public var next: String?
  /// The number of photos on all pages.
  public var total: Int
  /// The number of photos that exceed the limit and are on no page.
  public var omitted: Int
  /// The files that cannot be shown.
  public var unshown: UnshownFiles

  /// Creates a page.
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

/// A file that is open for reading while the object lives.
public final class KioskFile: Sendable {
  /// The descriptor's number.
  public let number: Int32
  /// The file's size in bytes.
  public let size: Int
  /// A tag that changes whenever the file does.
  public let tag: String
  /// The media type, such as `image/jpeg`.
  public let type: String
  /// The thread that reads and closes a file whose disk may not answer.
  public struct Reader: Sendable {
    /// The thread that waits for the disk.
    public var worker: AbandonableWorker
    /// The time that a read may take.
    public var patience: AbandonableWorker.Patience

    /// Creates a reader.
    public init(_ worker: AbandonableWorker, _ patience: AbandonableWorker.Patience) {
      (self.worker, self.patience) = (worker, patience)
    }
  }

  private let system: any SystemCalls
  let reader: Reader?

  /// Takes ownership of an open descriptor.
  ///
  /// Without a reader, the file's disk must always answer.
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
    // The last release may happen on the network's thread, and closing may block on the disk.
    guard let reader else {
      _ = system.close(number)
      return
    }
    reader.worker.clean { [number, system] in _ = system.close(number) }
  }

  /// Reads up to the buffer's size at an offset; returns a negative errno on failure.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    system.retrying { $0.pread(number, buffer, Int64(offset)) }
  }
}

extension KioskPhoto: Encodable {
  private enum Key: String, CodingKey {
    case id, album, name, width, height, bytes, taken, kind, durationMs
  }

  /// Encodes the photo for the page.
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

  /// Encodes the page of photos for the web page.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(photos, forKey: .photos)
    try container.encode(next, forKey: .next)
    try container.encode(total, forKey: .total)
    try container.encode(Unshown(unshown), forKey: .unshown)
    try container.encode(omitted, forKey: .omitted)
  }
}

/// The files that cannot be shown, as the page reads them.
private struct Unshown: Encodable {
  var count: Int
  var formats: [String]

  init(_ files: UnshownFiles) { (count, formats) = (files.count, files.formats) }
}
