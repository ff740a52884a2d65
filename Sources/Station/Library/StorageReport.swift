import ImagePicker
import PhotoLibrary
import Platform

/// The library's ability to take the next photo.
struct StorageReport: Equatable, Sendable {
  /// The name of the storage state: `ok`, `low`, `full`, … .
  var state: String
  /// The reason for which no session may start, or `nil` when one may.
  var reason: PickerReason?
  /// The number of bytes left for photos, or `nil` when it is unknown.
  var free: Int?

  init(state: String, reason: PickerReason?) {
    self.state = state
    self.reason = reason
  }

  /// Creates the report of a library at `path` whose disk does not answer.
  init(silent path: String) {
    state = "silent"
    reason = PickerReason(
      .storageUnavailable,
      problem: AccessProblem(
        subject: currentUser(), object: "the library \(path)", cause: "its disk does not answer",
        fix: LibraryError(MediumSilence(medium: path)).fix ?? "replace the disk"))
  }

  /// Reads the library's free space for the largest photo; blocks on the disk.
  init(_ library: PhotoLibrary, largestPhoto: Int) {
    self.init(library, library.room(for: largestPhoto), what: "the largest photo")
  }

  /// Reads the library's free space for the longest movie; blocks on the disk.
  init(_ library: PhotoLibrary, longestMovie: Int) {
    self.init(library, library.room(forMovieOf: longestMovie), what: "the longest movie")
  }

  private init(_ library: PhotoLibrary, _ storage: StorageState, what: String) {
    state = storage.name
    switch storage {
    case .ok(let free), .low(let free): self.free = free
    case .full: free = 0
    default: break
    }
    guard !storage.allowsSession else { return }
    if storage == .denied || storage == .readOnly,
      let problem = AccessProbe().directory(library.path).problem
    {
      reason = PickerReason(.storageUnavailable, problem: problem)
      return
    }
    reason = PickerReason(
      storage == .full ? .storageFull : .storageUnavailable,
      problem: AccessProblem(
        subject: currentUser(), object: "the library \(library.path)",
        cause: StorageReport.why(storage, what),
        fix: storage.operatorFix(library.path) ?? "check the disk"))
  }

  private static func why(_ storage: StorageState, _ what: String) -> String {
    switch storage {
    case .ok, .low: "nothing is wrong"
    case .full: "no room is left for \(what)"
    case .readOnly: "it is read-only"
    case .gone: "it does not exist"
    case .denied: "permission is denied"
    case .volatile(let name): "it is on \(name), which forgets everything at power-off"
    case .failing: "its disk reports errors"
    }
  }

  /// The condition for the picker's machine.
  var condition: PickerMachine.Condition { reason.map { .unavailable($0) } ?? .ready }
}
