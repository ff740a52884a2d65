import ImagePicker
import KioskServer
import PhotoLibrary
import Platform

// The parts of the configuration, in the types of the modules that use them.

extension PickerMachine.Configuration {
  /// Creates the picker's settings from the station's configuration.
  package init(_ configuration: Configuration) {
    self.init()
    countdown = configuration.countdown
    longestMovie = configuration.movie.maximum
    reviewFrames = configuration.reviewFrames
    reviewTimeout = configuration.reviewTimeout ?? .zero
    reviewEnd = configuration.reviewEnd == .accept ? .accept : .cancel
  }
}

extension LibraryConfiguration {
  /// Creates the library's settings from the station's configuration.
  public init(_ configuration: Configuration) {
    self.init(
      root: configuration.libraryPath, album: configuration.album,
      reserve: configuration.reserve.map { .bytes(Int(clamping: $0)) } ?? .standard,
      allowsVolatile: configuration.allowsVolatile)
  }
}

extension LibraryKeeping {
  /// Creates the settings for saved photos from the station's configuration.
  package init(_ configuration: Configuration) {
    self.init(
      copies: configuration.copies, keepDays: configuration.keepDays,
      keepBytes: configuration.keepBytes.map { Int(clamping: $0) })
  }
}

extension BrowserConfiguration {
  /// Creates the settings of the guests' browser from the station's configuration.
  public init(_ configuration: Configuration) {
    self.init(
      root: configuration.libraryPath, album: configuration.album,
      roots: configuration.libraryRoots.filter { $0 != configuration.libraryPath },
      albums: configuration.shownAlbums)
  }
}

extension KioskState.Settings {
  /// Creates the page's settings from the station's configuration.
  package init(_ configuration: Configuration) {
    self.init()
    let web = configuration.web
    language = web.language
    sounds = web.sounds
    slideshow = web.slideshow
    gallery = web.gallery
    lens = web.lens.rawValue
    fillLight = web.fillLight
    title = web.title
    countdownSeconds = configuration.countdown.milliseconds / 1000
    reviewSeconds = (configuration.reviewTimeout ?? .zero).milliseconds / 1000
  }
}
