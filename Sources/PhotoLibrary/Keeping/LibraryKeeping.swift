/// What is done with photos after they are saved.
public struct LibraryKeeping: Sendable, Equatable {
  /// Directories that get a copy of every photo; absolute.
  public var copies: [String]
  /// Photos older than this many days are deleted; nil: none are.
  public var keepDays: Int?
  /// The oldest photos are deleted until the albums have no more bytes than this; nil: none are.
  public var keepBytes: Int?

  /// Makes a choice; by default photos stay where they are.
  public init(copies: [String] = [], keepDays: Int? = nil, keepBytes: Int? = nil) {
    self.copies = copies
    self.keepDays = keepDays
    self.keepBytes = keepBytes
  }
}

/// How the copies in one directory stand.
public struct CopyState: Sendable, Equatable, Encodable {
  /// The directory.
  public var path: String
  /// `ready`, `absent`, `copying`, `full`, `failing` (the directory's disk is to blame), `waiting`
  /// (the library is), `refused` (it is no place for copies), `silent` (its disk does not answer).
  public var state: String
  /// Photos that wait for it, with those that failed; nil while it was never seen.
  public var waiting: Int?
  /// Photos that cannot be copied, because another picture has their name there or because they
  /// are damaged.
  public var refused = 0
  /// Photos whose last try failed, each for a reason of its own; they are tried again.
  public var failed = 0
  /// What the operator does about it; nil when nothing is wrong.
  public var fix: String?

  /// Makes a state.
  public init(path: String, state: String) { (self.path, self.state) = (path, state) }
}
