import FoundationEssentials

/// The kind of a library's file.
public enum PhotoKind: String, Sendable, Hashable, CaseIterable {
  /// A picture: JPEG.
  case image
  /// A movie: MP4.
  case movie

  /// The end of the file names.
  var suffix: String { self == .image ? ".jpg" : ".mp4" }
}

/// An accepted still or movie: a complete file that survives any power cut.
public struct Photo: Sendable, Hashable {
  /// The name of the photo's album.
  public var album: String
  /// The file's name.
  public var name: String
  /// The number in the name; nil for pictures that came from elsewhere.
  public var number: Int?
  /// The file's absolute path.
  public var path: String
  /// The file's size in bytes.
  public var bytes: Int
  /// The time of the file's last change, by the clock of that moment; nil if it is unknown.
  ///
  /// Unit: seconds since 1970.
  public var modified: Int64?

  /// The time at which the file was written, by the clock of that moment; nil if it is unknown.
  public var date: Date? { modified.map { Date(timeIntervalSince1970: Double($0)) } }

  /// The kind of the file, by its name.
  public var kind: PhotoKind { PhotoName.kind(name) }

  /// Creates a description of a file.
  public init(
    album: String, name: String, number: Int?, path: String, bytes: Int, modified: Int64? = nil
  ) {
    self.album = album
    self.name = name
    self.number = number
    self.path = path
    self.bytes = bytes
    self.modified = modified
  }
}

/// The names of the library's files.
enum PhotoName {
  /// The highest number with eight digits.
  static let highest = 99_999_999

  /// The highest number of a foreign file after which the library's numbers go on.
  ///
  /// The last tenth of the numbers is excluded. A foreign file with one of those does not use up
  /// the numbers below, because the album's sequence never reserved them for a photo.
  static let highestOfOthers = 89_999_999

  /// Returns `IMG_00000001.jpg` for 1; movies take their numbers from the same sequence.
  static func name(_ number: Int, _ kind: PhotoKind = .image) -> String {
    "IMG_\(digits(number))\(kind.suffix)"
  }

  /// Returns the rank of a name that the library could have given, among all such names.
  ///
  /// The rank is twice the number, plus one for a movie, since foreign files may have both names of
  /// a number.
  static func place(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    if let number = number(name) { return number * 2 }
    return movieNumber(name).map { $0 * 2 + 1 }
  }

  /// Returns the rank of a name that the library could have given.
  static func place(_ name: String) -> Int? {
    var name = name
    return name.withUTF8 { place($0) }
  }

  /// Returns whether one name is before another in a list.
  ///
  /// The library's own names come first, by falling numbers; the others follow by their bytes.
  static func comes(_ one: String, before other: String) -> Bool {
    switch (place(one), place(other)) {
    case (let left?, let right?): left > right
    case (nil, nil): one.utf8.lexicographicallyPrecedes(other.utf8)
    case (let left, _): left != nil
    }
  }

  /// Returns the name with a rank.
  static func name(place: Int) -> String { name(place / 2, place % 2 == 0 ? .image : .movie) }

  /// Returns the kind of a file by its name.
  static func kind(_ name: String) -> PhotoKind {
    movieSuffixes.contains { ends(name, with: $0) } ? .movie : .image
  }

  /// Returns the number with eight digits.
  static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 8 - text.count)) + text
  }

  /// Returns the number in a picture's name that the library could have given, or nil.
  static func number(_ name: String) -> Int? {
    var name = name
    return name.withUTF8 { number($0) }
  }

  /// Returns the number in a picture's name, given as the directory's bytes.
  static func number(_ name: UnsafeBufferPointer<UInt8>) -> Int? { number(name, .image) }

  /// Returns the number in a movie's name that the library could have given, or nil.
  static func movieNumber(_ name: UnsafeBufferPointer<UInt8>) -> Int? { number(name, .movie) }

  private static func number(_ name: UnsafeBufferPointer<UInt8>, _ kind: PhotoKind) -> Int? {
    guard name.count == 16, name.prefix(4).elementsEqual("IMG_".utf8),
      name.suffix(4).elementsEqual(kind.suffix.utf8)
    else { return nil }
    return number(digits: name[4..<12])
  }

  /// Reads one to eight decimal digits; returns nil for anything else.
  static func number(digits: some Collection<UInt8>) -> Int? {
    guard (1...8).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Returns whether a name can be a file's: 1 to 255 bytes, no slash, no leading dot, no zero
  /// byte.
  ///
  /// Every name must pass this check before it becomes part of a path, because a catalog's rows may
  /// hold any text.
  static func isFileName(_ name: String) -> Bool {
    let bytes = name.utf8
    return (1...255).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "/") }
  }

  /// Returns whether a file of that name may be in the catalog.
  ///
  /// Names from files, rows and requests all pass this check. The name is one of the library's own,
  /// or looks like a picture's or a movie's. A valid name has 1 to 255 bytes, no slash, no leading
  /// dot and no control characters, so that it stays inside its directory and cannot control a
  /// terminal.
  static func isListed(_ name: String) -> Bool {
    guard isFileName(name) else { return false }
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
    }
    return isPlain && (place(name) != nil || isPicture(name) || isMovie(name))
  }

  /// Returns the name in a directory entry's bytes if it may be listed; nil for bytes that are no
  /// UTF-8.
  static func listed(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let name = String(validating: bytes, as: UTF8.self), isListed(name) else { return nil }
    return name
  }

  /// Returns whether a foreign file has a JPEG picture's name.
  static func isPicture(_ name: String) -> Bool {
    !isHidden(name) && (ends(name, with: ".jpg") || ends(name, with: ".jpeg"))
  }

  /// Returns whether a foreign file has the name of a picture that can be shown.
  ///
  /// PNG is included; the library itself holds JPEG only.
  static func isShownPicture(_ name: String) -> Bool {
    isPicture(name) || (!isHidden(name) && ends(name, with: ".png"))
  }

  /// Returns whether a file has a movie's name.
  static func isMovie(_ name: String) -> Bool { !isHidden(name) && kind(name) == .movie }

  // Compares bytes, because a character may combine a dot with the scalars around it.
  private static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

  private static func ends(_ name: String, with suffix: String) -> Bool {
    guard name.utf8.count >= suffix.utf8.count else { return false }
    return name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { one, other in
      one == other || ((0x41...0x5A).contains(one) && one | 0x20 == other)
    }
  }

  /// The suffixes that cameras and phones give to files of the MP4 family.
  private static let movieSuffixes = [PhotoKind.movie.suffix, ".m4v", ".mov"]

  /// Returns whether the name is that of a temporary file that a crash left.
  static func isLeftover(_ name: String) -> Bool {
    name.hasPrefix(".retake-") && name.hasSuffix(".part")
  }
}
