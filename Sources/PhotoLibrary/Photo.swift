/// What a file of the library is.
public enum PhotoKind: String, Sendable, Hashable, CaseIterable {
  /// A picture: JPEG.
  case image
  /// A movie: MP4.
  case movie

  /// What its files' names end with.
  var suffix: String { self == .image ? ".jpg" : ".mp4" }
}

/// An accepted still, or movie: a file that is there and whole, whatever happens to the power.
public struct Photo: Sendable, Hashable {
  /// The album it is in.
  public var album: String
  /// The file's name.
  public var name: String
  /// The number in the name; nil for pictures that came from elsewhere.
  public var number: Int?
  /// The file's absolute path.
  public var path: String
  /// The file's size in bytes.
  public var bytes: Int

  /// What it is, by its name.
  public var kind: PhotoKind { PhotoName.kind(name) }

  /// Makes a description of a file.
  public init(album: String, name: String, number: Int?, path: String, bytes: Int) {
    self.album = album
    self.name = name
    self.number = number
    self.path = path
    self.bytes = bytes
  }
}

/// How the library names its files.
enum PhotoName {
  /// The highest number that eight digits hold.
  static let highest = 99_999_999

  /// The highest number of a file of others that numbers go on behind.
  ///
  /// A tenth of the numbers is left above. A file of others that has one of those does not use up
  /// the numbers below: no photo had them, since the album's sequence never promised them.
  static let highestOfOthers = 89_999_999

  /// `IMG_00000001.jpg` for 1; movies take their numbers from the same sequence.
  static func name(_ number: Int, _ kind: PhotoKind = .image) -> String {
    "IMG_\(digits(number))\(kind.suffix)"
  }

  /// Where a name that the library could have given stands among all of them: twice its number,
  /// and one more for a movie, since strangers may bring both.
  static func place(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    if let number = number(name) { return number * 2 }
    return movieNumber(name).map { $0 * 2 + 1 }
  }

  /// The same for text.
  static func place(_ name: String) -> Int? {
    var name = name
    return name.withUTF8 { place($0) }
  }

  /// Whether one name is before another in a list: the library's own by falling numbers, then
  /// those from elsewhere by their bytes.
  static func comes(_ one: String, before other: String) -> Bool {
    switch (place(one), place(other)) {
    case (let left?, let right?): left > right
    case (nil, nil): one.utf8.lexicographicallyPrecedes(other.utf8)
    case (let left, _): left != nil
    }
  }

  /// The name at a place.
  static func name(place: Int) -> String { name(place / 2, place % 2 == 0 ? .image : .movie) }

  /// What a file is, by its name.
  static func kind(_ name: String) -> PhotoKind {
    movieSuffixes.contains { ends(name, with: $0) } ? .movie : .image
  }

  /// Eight of them.
  static func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 8 - text.count)) + text
  }

  /// The number in a picture's name that the library could have given.
  static func number(_ name: String) -> Int? {
    var name = name
    return name.withUTF8 { number($0) }
  }

  /// The same for a name as the directory has it.
  static func number(_ name: UnsafeBufferPointer<UInt8>) -> Int? { number(name, .image) }

  /// The number in a movie's name that the library could have given.
  static func movieNumber(_ name: UnsafeBufferPointer<UInt8>) -> Int? { number(name, .movie) }

  private static func number(_ name: UnsafeBufferPointer<UInt8>, _ kind: PhotoKind) -> Int? {
    guard name.count == 16, name.prefix(4).elementsEqual("IMG_".utf8),
      name.suffix(4).elementsEqual(kind.suffix.utf8)
    else { return nil }
    return number(digits: name[4..<12])
  }

  /// Reads decimal digits and nothing else; at most eight.
  static func number(digits: some Collection<UInt8>) -> Int? {
    guard (1...8).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Whether a name can be a picture's: 1 to 255 bytes, no slash, no leading dot, no zero byte.
  ///
  /// Every name is asked before it is part of a path; rows of a catalog, too, may say anything.
  static func isFileName(_ name: String) -> Bool {
    let bytes = name.utf8
    return (1...255).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "/") }
  }

  /// Whether a file of that name may be in the catalog: the one check of names from files, rows and
  /// requests.
  ///
  /// The name is one of the library's own, or one that looks like a picture or a movie. It has 1
  /// to 255 bytes, no slash, no leading dot and no control characters, so that it leads nowhere
  /// else and writes nothing to a terminal but itself.
  static func isListed(_ name: String) -> Bool {
    guard isFileName(name) else { return false }
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
    }
    return isPlain && (place(name) != nil || isPicture(name) || isMovie(name))
  }

  /// The same for the bytes of a directory's entry; nil for what is no text.
  static func listed(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard let name = String(validating: bytes, as: UTF8.self), isListed(name) else { return nil }
    return name
  }

  /// Whether a file that came from elsewhere looks like a picture.
  static func isPicture(_ name: String) -> Bool {
    !isHidden(name) && (ends(name, with: ".jpg") || ends(name, with: ".jpeg"))
  }

  /// Whether a file that came from elsewhere looks like a picture that can be shown; the library
  /// itself has JPEG only.
  static func isShownPicture(_ name: String) -> Bool {
    isPicture(name) || (!isHidden(name) && ends(name, with: ".png"))
  }

  /// Whether a file that came from elsewhere looks like a movie.
  static func isMovie(_ name: String) -> Bool { !isHidden(name) && kind(name) == .movie }

  // By bytes: characters may hold a dot and what stands before or behind it.
  private static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

  private static func ends(_ name: String, with suffix: String) -> Bool {
    guard name.utf8.count >= suffix.utf8.count else { return false }
    return name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { one, other in
      one == other || ((0x41...0x5A).contains(one) && one | 0x20 == other)
    }
  }

  /// What cameras and phones call files of the MP4 family.
  private static let movieSuffixes = [PhotoKind.movie.suffix, ".m4v", ".mov"]

  /// Whether the library made this file to rename it, and a crash left it.
  static func isLeftover(_ name: String) -> Bool {
    name.hasPrefix(".retake-") && name.hasSuffix(".part")
  }
}
