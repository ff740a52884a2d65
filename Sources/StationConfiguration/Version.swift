/// The Retake program.
public enum Retake {
  /// The version of the program, in the form of semver.org.
  public static let version = "0.2.0"
  /// The name and version of the program, for the metadata of pictures.
  package static let software = "Retake \(version)"
}
