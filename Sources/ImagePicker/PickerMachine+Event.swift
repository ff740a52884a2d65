extension PickerMachine {
  /// What can happen to a picker.
  ///
  /// Any event may come in any state. Inputs name the session that their page showed, or none for a
  /// button; conditions, faults and the answers to effects are the station's and name none.
  public enum Event: Equatable, Sendable {
    /// A session is to begin; counts in `idle` and on end screens, refused or ignored elsewhere.
    case begin(Request)
    /// The shutter: a button, a key, `takePicture()`.
    case shutter
    /// `takePicture()`: as the shutter, but it takes a photo also while a movie is recorded, which
    /// then goes on.
    case still
    /// `startVideoCapture()`: a movie begins; counts in `live`, if the session may take movies.
    case startRecording
    /// `stopVideoCapture()`: the movie ends; counts in `recording`.
    case stopRecording
    /// Use the photo, confirm the selection, or keep the edit, by state.
    case accept
    /// Throw the photo away and shoot again.
    case retake
    /// The guest gives up; on an end screen: the guest has seen it.
    case cancel
    /// The program takes the picker away: as `cancel`, without an end screen.
    case dismiss
    /// Somebody is there (a touch): the timer for leaving guests starts again.
    case extend
    /// The crop box moved; counts in `editing`, and in `reviewing` if editing is allowed.
    case edit(PickerEdit?)
    /// Exactly these are chosen and confirmed, in their order: all of them, or the session fails.
    ///
    /// For programs; counts in `browsing`. Nothing can come between the choice and its confirmation.
    case choose([PickerChoice])
    /// An item of the library is chosen.
    case select(ItemID)
    /// An item is no longer chosen, or has vanished from the library.
    case deselect(ItemID)
    /// The crop box for an item is to be shown; counts if editing is allowed.
    case openEditor(ItemID)
    /// From the crop box to the library, the edit forgotten.
    case back
    /// The timer of that token is due.
    case timer(TimerToken)
    /// The still of that candidate is made and can be shown.
    case captured(CandidateID)
    /// The movie of that candidate is whole and can be shown; a reason says what ended it early.
    case recordingEnded(CandidateID, PickerReason?)
    /// The frames around the press are at hand; counts in the review of that candidate, once.
    case framesOffered(CandidateID, ReviewFrames)
    /// Another frame is to be kept; counts in `reviewing`, where frames are offered.
    case chooseFrame(FrameChoice)
    /// The still of that frame, of those that are offered, is made and can be shown.
    case frameReady(CandidateID, Int)
    /// There will be no still of that frame.
    case frameFailed(CandidateID, Int, PickerReason)
    /// There will be no still or movie of that candidate.
    case captureFailed(CandidateID, PickerReason)
    /// The photo is durable, or the library's results are read.
    case saved(CandidateID)
    /// The photo is not in the library, or the results could not be read.
    case saveFailed(CandidateID, PickerReason)
    /// The camera, the storage or the library came or went.
    case condition(Condition.Resource, Condition)
    /// A part of the station failed, so that the session cannot go on.
    case fault(PickerReason)
  }

  /// What a session is for.
  public struct Request: Hashable, Sendable {
    /// Where pictures come from.
    public var source: ImagePickerController.SourceType
    /// Whether the guest may crop and turn.
    public var allowsEditing: Bool
    /// How many items may be chosen from a library; 0 and below: no limit.
    public var selectionLimit: Int
    /// What may be picked.
    public var mediaTypes: [ImagePickerController.MediaType]
    /// What the shutter takes.
    public var captureMode: ImagePickerController.CameraCaptureMode
    /// The longest movie; nil: as long as the configuration has it.
    public var longestMovie: Duration?
    /// How many frames around the press a review offers; nil: as many as the configuration says.
    public var reviewFrames: Int?

    /// Makes the request for a session with `source`.
    public init(
      source: ImagePickerController.SourceType = .camera, allowsEditing: Bool = false,
      selectionLimit: Int = 1, mediaTypes: [ImagePickerController.MediaType] = [.image],
      captureMode: ImagePickerController.CameraCaptureMode = .photo,
      longestMovie: Duration? = nil, reviewFrames: Int? = nil
    ) {
      self.source = source
      self.allowsEditing = allowsEditing
      self.selectionLimit = max(0, selectionLimit)
      self.mediaTypes = mediaTypes
      self.captureMode = captureMode
      self.longestMovie = longestMovie
      self.reviewFrames = reviewFrames
    }

    /// Whether movies may be taken.
    public var allowsMovies: Bool {
      source == .camera && (mediaTypes.contains(.movie) || captureMode == .video)
    }
  }

  /// A session under way.
  public struct Session: Hashable, Sendable {
    /// Its name.
    public let id: SessionID
    /// What it is for.
    public let request: Request
  }

  /// Whether something that sessions need can be used.
  public enum Condition: Hashable, Sendable {
    /// It can.
    case ready
    /// It cannot, for that reason.
    case unavailable(PickerReason)

    /// What sessions need.
    public enum Resource: Hashable, Sendable, CaseIterable {
      /// Frames arrive.
      case camera
      /// Another photo can be written.
      case storage
      /// Albums can be read.
      case library
      /// A movie can be encoded, and the longest one be written.
      case movies
    }

    /// Why not; nil: ready.
    public var reason: PickerReason? {
      if case .unavailable(let reason) = self { reason } else { nil }
    }
  }

  /// The conditions of all that sessions need.
  public struct Conditions: Hashable, Sendable {
    /// Whether frames arrive.
    public var camera: Condition
    /// Whether another photo can be written.
    public var storage: Condition
    /// Whether albums can be read.
    public var library: Condition
    /// Whether a movie can be encoded, and the longest one be written.
    public var movies: Condition

    /// Makes the conditions; by default nothing is ready yet.
    public init(
      camera: Condition = .unavailable(PickerReason(.starting)),
      storage: Condition = .unavailable(PickerReason(.starting)),
      library: Condition = .unavailable(PickerReason(.starting)),
      movies: Condition = .unavailable(PickerReason(.moviesUnavailable))
    ) {
      self.camera = camera
      self.storage = storage
      self.library = library
      self.movies = movies
    }

    /// All of it is ready.
    public static let ready = Conditions(
      camera: .ready, storage: .ready, library: .ready, movies: .ready)
  }
}
