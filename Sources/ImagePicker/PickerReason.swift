/// The reason why a press was refused or a session failed, with a sentence for the guest and the
/// cause for the operator.
public struct PickerReason: Error, Hashable, Sendable {
  /// The kinds of reason; the raw values are what the page, the log and the API call them.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The station has not yet said that it is ready.
    case starting
    /// The camera is absent, busy, switched off or may not be used.
    case cameraUnavailable
    /// The disk has no room for another photo above the reserve.
    case storageFull
    /// Photos cannot be written because the directory is read-only, missing or not permitted.
    case storageUnavailable
    /// The library cannot be read because it is missing or not permitted.
    case libraryUnavailable
    /// The camera delivered no undamaged frame.
    case captureFailed
    /// The frame or the still was not ready in time.
    case captureTimedOut
    /// The chosen frame cannot be used; the nearest one is shown again.
    case frameUnavailable
    /// The photo could not be written; it is not in the library.
    case saveFailed
    /// Movies cannot be recorded because there is no encoder, or no room for the longest one.
    case moviesUnavailable
    /// The recording ended early because the camera was lost or the disk is full.
    case movieCutShort
    /// The maximum number of items is chosen already.
    case selectionLimitReached
    /// Nothing is chosen yet.
    case nothingSelected
    /// A part of the station failed.
    case stationFault
  }

  /// The kind of the reason.
  public var code: Code
  /// The problem that the operator sees; nil if no more is known.
  public var problem: AccessProblem?

  /// Creates the reason of that kind.
  public init(_ code: Code, problem: AccessProblem? = nil) {
    self.code = code
    self.problem = problem
  }

  /// One plain sentence for the guest.
  public var guestMessage: String {
    switch code {
    case .starting: "The photo booth is still starting. Please wait a moment."
    case .cameraUnavailable: "The camera is not ready. Please ask for help."
    case .storageFull: "There is no space for more photos. Please ask for help."
    case .storageUnavailable: "Photos cannot be saved right now. Please ask for help."
    case .libraryUnavailable: "Photos cannot be shown right now. Please ask for help."
    case .captureFailed, .captureTimedOut: "Sorry, that one did not come out. Please try again."
    case .frameUnavailable: "That moment cannot be used. Here is the first one again."
    case .saveFailed: "Your photo could not be saved. Please ask for help."
    case .moviesUnavailable: "Videos cannot be recorded right now. Please ask for help."
    case .movieCutShort: "The video ended early. You can keep what was recorded."
    case .selectionLimitReached: "You cannot choose any more photos."
    case .nothingSelected: "Please choose a photo first."
    case .stationFault: "Something went wrong. Please try again."
    }
  }
}
