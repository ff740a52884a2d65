import PhotoLibrary

extension ConfigurationKey {
  /// The keys of the pictures that guests choose from.
  static let browsing = [libraryRoots, shownAlbums, diskPatience]

  private static let diskPatience = seconds(
    "library.patience", \.diskPatience, in: 1...120,
    summary: "how long a disk may take for one answer before it counts as hanging")

  private static let libraryRoots = directories(
    "library.roots", \.libraryRoots, form: #"a list of directories, such as ["/media"]"#,
    summary: "further directories whose pictures guests may choose from; each may come and go")

  private static let shownAlbums = ConfigurationKey(
    name: "library.albums", form: #"a list of albums, such as ["booth"]"#,
    summary: "the only albums that guests may see; default: all"
  ) { config, value, _ throws(Refusal) in
    let names = try value.strings()
    guard !names.isEmpty else {
      throw Refusal(reason: "must name at least one album; leave it out to show all")
    }
    for name in names
    where !name.split(separator: "/", omittingEmptySubsequences: false)
      .allSatisfy({ LibraryConfiguration.isAlbumName(String($0)) })
    {
      throw Refusal(reason: "must hold names of albums, and \(tomlString(name)) is none")
    }
    guard names.count <= 1000 else { throw Refusal(reason: "must name at most 1000 albums") }
    config.shownAlbums = names
  } show: { config, _ in
    config.shownAlbums.map { "[" + $0.map(tomlString).joined(separator: ", ") + "]" }
  }
}
