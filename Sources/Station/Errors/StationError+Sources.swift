import Capture
import Glibc
import ImagePicker
import KioskServer
import Movies
import PhotoLibrary
import Platform
import StationConfiguration
import Trigger

// The boundary to the terminal: the kind of each module's error, and with it the exit status. The
// words stay those of the module.

extension StationError {
  /// Describes any error for the person at the terminal.
  public init(any error: any Error) {
    switch error {
    case let error as StationError: self = error
    case let error as ConfigurationError: self.init(error)
    case let error as LibraryError: self.init(error)
    case let error as PickerError: self.init(error)
    case let error as KioskError: self.init(error)
    case let error as CaptureError: self.init(error)
    case let error as MovieError: self.init(error)
    case let error as GPIOError: self.init(error)
    case let error as SystemError: self.init(.system, "\(error)", cause: error)
    default:
      self.init(
        .system, "an error that retake does not know: \(type(of: error)); please report it",
        cause: error)
    }
  }

  private init(_ code: Code, of error: some OperatorError) {
    self.init(code, error.message, fix: error.fix, cause: error)
  }

  /// Converts a configuration error.
  init(_ error: ConfigurationError) {
    self.init(.configuration, error.description, cause: error)
  }

  /// Converts a capture error.
  package init(_ error: CaptureError) {
    let code: Code =
      switch error.code {
      case .noCamera, .notCamera, .badClip: .noCamera
      case .busy: .cameraBusy
      case .denied: .noPermission
      case .noMode, .badControl: .configuration
      case .noSignal, .noFrame: .noCleanFrame
      case .noBandwidth, .failed: .cameraFailed
      }
    self.init(code, of: error)
  }

  /// Converts a movie error.
  package init(_ error: MovieError) {
    let code: Code =
      switch error.code {
      case .noEncoder, .unsupported: .configuration
      case .noFrames: .noCleanFrame
      case .output, .full: .cannotSave
      case .encoder: .system
      }
    self.init(code, of: error)
  }

  /// Converts a library error.
  public init(_ error: LibraryError) {
    let code: Code =
      switch error.code {
      case .denied: .noPermission
      case .inUse: .alreadyRunning
      case .invalidAlbum: .configuration
      case .notFound, .exists: .cancelled
      default: .cannotSave
      }
    self.init(code, of: error)
  }

  /// Converts an error of the page's server.
  init(_ error: KioskError) {
    let code: Code =
      switch error.code {
      case .configuration, .inUse: .configuration
      case .denied: .noPermission
      case .system: .system
      }
    self.init(code, of: error)
  }

  /// Converts an error of a GPIO line.
  package init(_ error: GPIOError) {
    let code: Code =
      switch error.code {
      case .denied: .noPermission
      case .noChip, .noLine, .ambiguous, .busy: .configuration
      case .gone, .failed: .system
      }
    self.init(code, of: error)
  }

  /// Converts the reason for which a session gave no photo.
  init(_ reason: PickerReason) {
    let code: Code =
      switch reason.code {
      case .starting, .cameraUnavailable, .captureFailed, .captureTimedOut, .frameUnavailable:
        .noCleanFrame
      case .moviesUnavailable: .configuration
      case .movieCutShort, .storageFull, .storageUnavailable, .libraryUnavailable, .saveFailed:
        .cannotSave
      case .selectionLimitReached, .nothingSelected: .cancelled
      case .stationFault: .system
      }
    self.init(
      code, reason.problem?.message ?? reason.guestMessage, fix: reason.problem?.fix, cause: reason)
  }

  /// Converts the error of a picker.
  public init(_ error: PickerError) {
    let code: Code
    switch error.code {
    case .sessionFailed, .sourceUnavailable:
      guard let reason = error.reason else { fallthrough }
      code = StationError(reason).code
    case .noHost: code = .system
    case .alreadyPresenting: code = .cancelled
    case .cameraDeviceUnavailable: code = .noCamera
    case .mediaTypesEmpty, .mediaTypeUnavailable, .selectionLimitInvalid, .videoDurationInvalid,
      .reviewFramesInvalid:
      code = .configuration
    }
    self.init(code, error.message, fix: error.fix, cause: error)
  }

  /// Converts the error of the socket for triggers.
  init(socketError error: SystemError, path: String) {
    let code: Code
    let message: String
    var fix: String?
    switch error.errno {
    case EADDRINUSE:
      code = .alreadyRunning
      message = "another station listens at \(path)"
      fix = "stop it, or give this one its own 'socket.path'"
    case EACCES, EPERM, EROFS:
      code = .noPermission
      message = "the socket \(path) cannot be made: \(error.reason)"
      fix = "set 'socket.path' to a place of yours"
    case ENOENT:
      code = .configuration
      message = "the directory of the socket \(path) does not exist"
      fix = "make it, or set 'socket.path'"
    case EEXIST:
      code = .configuration
      message = "\(path) is in the way of the station's socket and is none"
      fix = "move it, or set 'socket.path'"
    default:
      code = .system
      message = "the socket for triggers cannot be opened: \(error)"
    }
    self.init(code, message, fix: fix, cause: error)
  }
}
