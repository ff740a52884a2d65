import Capture
import Glibc
import ImagePicker
import KioskServer
import PhotoLibrary
import Platform
import StationConfiguration

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
    case let error as SystemError: self.init(.system, "\(error)", cause: error)
    default:
      self.init(
        .system, "an error that retake does not know: \(type(of: error)); please report it",
        cause: error)
    }
  }

  /// Converts a configuration error.
  init(_ error: ConfigurationError) {
    self.init(.configuration, error.description, cause: error)
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
    self.init(code, reason.operatorMessage, cause: reason)
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
    self.init(code, error.description, cause: error)
  }

  /// Converts the error of the socket for triggers.
  init(socketError error: SystemError, path: String) {
    switch error.errno {
    case EADDRINUSE:
      self.init(
        .alreadyRunning,
        "another station listens at \(path); stop it, or give this one its own 'socket.path'",
        cause: error)
    case EACCES, EPERM, EROFS:
      self.init(
        .noPermission,
        "the socket \(path) cannot be made: \(error.reason); set 'socket.path' to a place of yours",
        cause: error)
    case ENOENT:
      self.init(
        .configuration,
        "the directory of the socket \(path) does not exist; make it, or set 'socket.path'",
        cause: error)
    case EEXIST:
      self.init(
        .configuration,
        "\(path) is in the way of the station's socket and is none; move it, or set 'socket.path'",
        cause: error)
    default:
      self.init(.system, "the socket for triggers cannot be opened: \(error)", cause: error)
    }
  }
}
