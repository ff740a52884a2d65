/// The maximum memory of each part of the station, in bytes.
///
/// The code that is named beside each number enforces it. `MemoryHigh` of the service's unit is
/// above ``service``, and a test compares the two.
public enum MemoryBudget {
  /// The program, its libraries, threads and small objects, and the freed memory that the allocator
  /// keeps.
  public static let base = 96 << 20
  /// Compressed frames that wait for a movie's recorder; enforced by `MoviePlan.poolBytes`.
  public static let moviePool = 96 << 20
  /// The frames that a boomerang repeats, fewer if they are large.
  ///
  /// Enforced by `MovieSession`.
  public static let boomerang = 96 << 20
  /// An encoder at the default size of movies, with its decoded frame.
  ///
  /// Enforced by `MovieSettings.mostPixels` and `VideoEncoder.threads`. The encoder's test ends
  /// before a movie begins.
  public static let encoder = 128 << 20
  /// A picture that is being decoded, without its file; enforced by `PictureOpener.memoryLimit`.
  public static let openedPicture = 64 << 20
  /// The largest file of a picture; enforced by `PhotoBrowser.maximumBytes`.
  public static let pictureFile = 64 << 20
  /// Edits of chosen pictures that are kept after they were made.
  ///
  /// Further ones are made again on request. Enforced by `PhotoCollector`.
  public static let chosenPictures = 32 << 20
  /// The photo under review, that of another frame, its edit, and the one copy for viewers.
  ///
  /// Photos taken beside a movie exist as files only; `CandidateStore.mostMovieStills` limits
  /// those.
  public static let candidates = 32 << 20
  /// The frames around the press that a review offers; enforced by `FrameCollector`.
  ///
  /// The still of the chosen frame counts among ``candidates``.
  public static let reviewFrames = 24 << 20
  /// Answers whose clients have not taken them yet; enforced by `HTTPServer`.
  public static let answers = 64 << 20
  /// Thumbnails for the page's grid; enforced by `WebThumbnails`.
  public static let pageThumbnails = 32 << 20
  /// Thumbnails that a browser of the library made; enforced by `PhotoBrowser`.
  public static let browserThumbnails = 16 << 20
  /// Names of the pictures that guests look through, twice while they are read.
  ///
  /// Enforced by `PhotoBrowser.mostPictures`.
  public static let pictureIndex = 64 << 20

  /// The sum of all parts, with two pictures decoded at the same time: one for the grid and one
  /// that a guest chose.
  public static var service: Int {
    // A file that is turned upright exists twice for a moment.
    let pictures = 2 * openedPicture + 3 * pictureFile + chosenPictures + candidates + reviewFrames
    let web = answers + pageThumbnails + browserThumbnails + pictureIndex
    return base + moviePool + boomerang + encoder + pictures + web
  }
}
