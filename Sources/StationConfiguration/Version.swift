/// The program as a whole.
public enum Retake {
  /// Its version, after semver.org.
  public static let version = "0.2.0"
}
