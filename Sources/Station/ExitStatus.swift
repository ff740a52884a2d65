/// The exit status of the program, for scripts and for systemd.
public enum ExitStatus: Int32, Sendable {
  /// The program has done its work.
  case done = 0
  /// The request was cancelled or refused.
  case cancelled = 1
  /// The command line or the configuration is wrong.
  case usage = 2
  /// The named camera does not exist, or there is no camera.
  case noCamera = 3
  /// Another program has the camera.
  case cameraBusy = 4
  /// The photo cannot be saved.
  case cannotSave = 5
  /// The camera gave no clean frame in time.
  case noCleanFrame = 6
  /// The user may not use the camera, the library or the socket.
  case noPermission = 7
  /// No station answers.
  case notRunning = 8
}

extension ExitStatus {
  /// The meaning of each exit status, for the manual.
  public static let meanings: [(ExitStatus, String)] = [
    (.done, "done"), (.cancelled, "cancelled or refused"),
    (.usage, "command line or configuration wrong"), (.noCamera, "no camera"),
    (.cameraBusy, "another program has the camera"), (.cannotSave, "the photo cannot be saved"),
    (.noCleanFrame, "no clean frame in time"), (.noPermission, "no permission"),
    (.notRunning, "no station answers"),
  ]
}
