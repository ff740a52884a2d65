/// How the program ended, for scripts and for systemd.
public enum ExitStatus: Int32, Sendable {
  /// Done.
  case done = 0
  /// Cancelled or refused.
  case cancelled = 1
  /// The command line or the configuration is wrong.
  case usage = 2
  /// There is no such camera, or none at all.
  case noCamera = 3
  /// Another program has the camera.
  case cameraBusy = 4
  /// The photo cannot be saved.
  case cannotSave = 5
  /// The camera gave no clean frame in time.
  case noCleanFrame = 6
  /// The user may not use the camera, the library or the socket.
  case noPermission = 7
}
