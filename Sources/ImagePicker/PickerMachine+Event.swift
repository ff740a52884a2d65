extension PickerMachine {
  /// An event that a picker handles.
  ///
  /// Any event may come in any state. An input from a page carries the session that the page
  /// showed; an input from a button carries none. Conditions, faults and the answers to effects
  /// come from the station and carry no session.
  public enum Event: Equatable, Sendable {
    /// A session is to begin; counts in `idle` and on end screens, and is ignored in other states.
    case begin(Request)
    /// The shutter was pressed, by a button or a key.
    case shutter
    /// `takePicture()` was called: like the shutter, but during a recording it takes a photo and
    /// the recording continues.
    case still
    /// `startVideoCapture()` was called; counts in `live` if the session may take movies.
    case startRecording
    /// `stopVideoCapture()` was called; counts in `recording`.
    case stopRecording
    /// The guest uses the photo, confirms the selection, or keeps the edit, depending on the state.
    case accept
    /// The guest discards the photo to take another.
    case retake
    /// The guest cancels the session, or closes an end screen.
    case cancel
    /// The program dismisses the picker: like `cancel`, without an end screen.
    case dismiss
    /// The guest touched the screen, which restarts the timer for guests who have left.
    case extend
    /// The crop box moved; counts in `editing`, and in `reviewing` if editing is allowed.
    case edit(PickerEdit?)
    /// The program chooses and confirms exactly these items in this order; the session fails if
    /// they are too many or none.
    ///
    /// Counts in `browsing`. No other event can come between the choice and its confirmation.
    case choose([PickerChoice])
    /// The guest chose an item of the library.
    case select(ItemID)
    /// The guest deselected an item, or the item has disappeared from the library.
    case deselect(ItemID)
    /// The guest opened the crop box for an item; counts in `browsing` if editing is allowed.
    case openEditor(ItemID)
    /// The guest returned from the crop box to the library, and the edit is discarded.
    case back
    /// The timer of that token is due.
    case timer(TimerToken)
    /// The still of the candidate is finished and can be shown.
    case captured(CandidateID)
    /// The movie of the candidate is finished and can be shown; a reason says why it ended early.
    case recordingEnded(CandidateID, PickerReason?)
    /// The frames around the press can be offered; counts once in the review of that candidate.
    case framesOffered(CandidateID, ReviewFrames)
    /// The guest chose another frame; counts in `reviewing` if frames are offered.
    case chooseFrame(FrameChoice)
    /// The still of the offered frame at that index is finished and can be shown.
    case frameReady(CandidateID, Int)
    /// The still of the offered frame at that index could not be made.
    case frameFailed(CandidateID, Int, PickerReason)
    /// The still or movie of the candidate could not be made.
    case captureFailed(CandidateID, PickerReason)
    /// The photo is durable, or the library's results are read.
    case saved(CandidateID)
    /// The photo could not be saved, or the library's results could not be read.
    case saveFailed(CandidateID, PickerReason)
    /// A resource became ready or unavailable.
    case condition(Condition.Resource, Condition)
    /// A part of the station failed, so that the session cannot go on.
    case fault(PickerReason)
  }

  /// The settings of a session.
  public struct Request: Hashable, Sendable {
    /// The source of the pictures.
    public var source: ImagePickerController.SourceType
    /// Whether the guest may crop and turn the picture.
    public var allowsEditing: Bool
    /// The maximum number of items that may be chosen from a library; zero means no limit.
    public var selectionLimit: Int
    /// The media types that may be picked.
    public var mediaTypes: [ImagePickerController.MediaType]
    /// The kind of medium that the shutter button takes.
    public var captureMode: ImagePickerController.CameraCaptureMode
    /// The maximum movie duration; nil stands for the configuration's maximum.
    public var longestMovie: Duration?
    /// The number of frames around the press that a review offers; nil means the configuration's
    /// number.
    public var reviewFrames: Int?

    /// Creates the request for a session with `source`.
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
    /// The identifier of the session.
    public let id: SessionID
    /// The request that began the session.
    public let request: Request
  }

  /// Whether a resource that sessions need can be used.
  public enum Condition: Hashable, Sendable {
    /// The resource can be used.
    case ready
    /// The resource cannot be used, for this reason.
    case unavailable(PickerReason)

    /// A resource that sessions need.
    public enum Resource: Hashable, Sendable, CaseIterable {
      /// The camera, which is ready when frames arrive.
      case camera
      /// The storage, which is ready when another photo can be written.
      case storage
      /// The library, which is ready when albums can be read.
      case library
      /// The movie recorder, which is ready when a movie can be encoded and the disk has room for
      /// the longest one.
      case movies
    }

    /// The reason why the resource cannot be used; nil if it is ready.
    public var reason: PickerReason? {
      if case .unavailable(let reason) = self { reason } else { nil }
    }
  }

  /// The conditions of all resources that sessions need.
  public struct Conditions: Hashable, Sendable {
    /// Whether frames arrive.
    public var camera: Condition
    /// Whether another photo can be written.
    public var storage: Condition
    /// Whether albums can be read.
    public var library: Condition
    /// Whether a movie can be encoded and the disk has room for the longest one.
    public var movies: Condition

    /// Creates the conditions; by default no resource is ready.
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

    /// The conditions with every resource ready.
    public static let ready = Conditions(
      camera: .ready, storage: .ready, library: .ready, movies: .ready)
  }
}
