/// The treatment of photos after they are saved.
public struct LibraryKeeping: Sendable, Equatable {
  /// Directories that get a copy of every photo; absolute.
  public var copies: [String]
  /// The age in days after which photos are deleted; nil to keep them.
  public var keepDays: Int?
  /// The total size in bytes above which the oldest photos are deleted; nil to keep them.
  public var keepBytes: Int?

  /// Creates a configuration; by default nothing is copied or deleted.
  public init(copies: [String] = [], keepDays: Int? = nil, keepBytes: Int? = nil) {
    self.copies = copies
    self.keepDays = keepDays
    self.keepBytes = keepBytes
  }
}

/// The state of the copies in one directory.
public struct CopyState: Sendable, Equatable, Encodable {
  /// The directory.
  public var path: String
  /// The name of the state.
  ///
  /// The names are `ready`, `absent`, `copying`, `full`, `failing` (a problem of the directory's
  /// disk), `waiting` (a problem of the library), `refused` (the directory is unsuitable for
  /// copies) and `silent` (the directory's disk does not answer).
  public var state: String
  /// The number of photos that wait for the directory, including failed ones; nil before it was
  /// first seen.
  public var waiting: Int?
  /// The number of photos that cannot be copied.
  ///
  /// Another picture has such a photo's name there, or the photo is damaged.
  public var refused = 0
  /// The number of photos whose last try failed, each for its own reason; they are tried again.
  public var failed = 0
  /// The operator's fix; nil when nothing is wrong.
  public var fix: String?

  /// Creates a state.
  public init(path: String, state: String) { (self.path, self.state) = (path, state) }
}
