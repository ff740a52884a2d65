/// The Retake program.
public enum Retake {
  /// The version of the program, in the form of semver.org.
  public static let version = "0.1.0"
}
