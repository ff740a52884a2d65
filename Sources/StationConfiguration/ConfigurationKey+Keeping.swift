import PhotoLibrary
import Platform

extension ConfigurationKey {
  /// The keys for photos after they are saved.
  static let keeping = [keepDays, keepSize, copyTo]

  private static let keepDays = ConfigurationKey(
    name: "library.keep-days", form: "a number of days from 1 to 36500",
    summary: "photos older than that are deleted, except those marked by 'retake photos keep'; "
      + "needs a clock that a network or a battery keeps right"
  ) { config, value, _ throws(Refusal) in
    guard case .integer(let days) = value.content, (1...36500).contains(days) else {
      throw Refusal(reason: "must be a whole number of days from 1 to 36500")
    }
    config.keepDays = Int(days)
  } show: { config, _ in
    config.keepDays.map(String.init)
  }

  private static let keepSize = ConfigurationKey(
    name: "library.keep-size", form: #"a number of bytes, or a string such as "20 GB""#,
    summary: "the oldest photos are deleted when all of them together are larger than that; those "
      + "of the present album are the last"
  ) { config, value, _ throws(Refusal) in
    let bytes = try value.bytes()
    guard bytes >= 1_000_000 else {
      throw Refusal(reason: "must be at least 1 MB, or no photo would stay")
    }
    config.keepBytes = bytes
  } show: { config, _ in
    config.keepBytes.map(String.init)
  }

  private static let copyTo = directories(
    "copy.to", \.copies, form: #"a list of directories, such as ["/media/retake/copies"]"#,
    summary: "where every photo is copied to, outside of the library; each may come and go, and "
      + "catches up")
}

extension Configuration {
  /// The configuration with the album that `retake photos album` started.
  ///
  /// When the file has named another album since, the configuration is unchanged.
  package var withStartedAlbum: Configuration {
    var result = self
    let started = CurrentAlbum.read(root: libraryPath, configured: album)
    guard !started.hasBytes(of: album) else { return self }
    result.album = started
    result.configuredAlbum = album
    result.origins["library.album"] = .file("\(libraryPath)/.retake.album", line: 1)
    return result
  }
}
