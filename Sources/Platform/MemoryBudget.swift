/// The most memory that each part of the station holds, in bytes.
///
/// Each number is kept to by the code that is named beside it. `MemoryHigh` of the service's unit is
/// above ``service``, and a test holds the two against each other.
public enum MemoryBudget {
  /// The program, its libraries, threads and small objects, and what the allocator keeps of freed
  /// memory.
  public static let base = 96 << 20
  /// Compressed frames that wait for a movie's recorder; kept to by `MoviePlan.poolBytes`.
  public static let moviePool = 96 << 20
  /// Frames that a boomerang goes back through, which has fewer of larger ones.
  ///
  /// Kept to by `MovieSession`.
  public static let boomerang = 96 << 20
  /// An encoder at the usual size of movies, with its decoded frame; kept to by
  /// `MovieSettings.mostPixels` and `VideoEncoder.threads`.
  ///
  /// The encoder's trial is over before a movie begins.
  public static let encoder = 128 << 20
  /// A picture that is opened, apart from its file; kept to by `PictureOpener.memoryLimit`.
  public static let openedPicture = 64 << 20
  /// The largest file of a picture; kept to by `PhotoBrowser.maximumBytes`.
  public static let pictureFile = 64 << 20
  /// Edits of chosen pictures that are kept after they were made.
  ///
  /// Further ones are made again when they are asked for. Kept to by `PhotoCollector`.
  public static let chosenPictures = 32 << 20
  /// The photo under review, that of another frame, its edit, and the one copy for viewers.
  ///
  /// Photos beside a movie are files only; `CandidateStore.mostMovieStills` bounds those.
  public static let candidates = 32 << 20
  /// Frames around the press that a review offers; kept to by `FrameCollector`.
  ///
  /// The still of the chosen frame counts among ``candidates``.
  public static let reviewFrames = 24 << 20
  /// Answers whose clients have not taken them yet; kept to by `HTTPServer`.
  public static let answers = 64 << 20
  /// Small pictures for the page's grid; kept to by `WebThumbnails`.
  public static let pageThumbnails = 32 << 20
  /// Small pictures that a browser of the library made; kept to by `PhotoBrowser`.
  public static let browserThumbnails = 16 << 20
  /// Names of pictures that guests look through, twice while they are read; kept to by
  /// `PhotoBrowser.mostPictures`.
  public static let pictureIndex = 64 << 20

  /// All of them at once, with two pictures that are opened at the same time: one for the grid, one
  /// that was chosen.
  public static var service: Int {
    // A file that is turned upright is there twice for a moment.
    let pictures = 2 * openedPicture + 3 * pictureFile + chosenPictures + candidates + reviewFrames
    let web = answers + pageThumbnails + browserThumbnails + pictureIndex
    return base + moviePool + boomerang + encoder + pictures + web
  }
}
