import KioskServer

extension Configuration {
  /// The settings of the page, from `[web]`.
  public struct Web: Equatable, Sendable {
    /// The address of the page, or `nil` for no page.
    public var listen: KioskAddress? = KioskAddress(host: "127.0.0.1", port: 8080)
    /// The host names under which browsers may request the page.
    public var hosts: [String] = []
    /// The secret that clients must send, or `nil` when none is needed.
    public var token: String?
    /// The operator's PIN at the page, or `nil` when none is set.
    public var pin: String?
    /// A directory whose files replace those of the built-in page, or `nil`.
    public var directory: String?
    /// The page's language, or `auto` for the browser's language.
    public var language = "auto"
    /// Whether the page plays sounds for countdown and shutter.
    public var sounds = false
    /// Whether the page shows saved photos between sessions.
    public var slideshow = true
    /// Whether guests can look through the saved photos.
    public var gallery = true
    /// The position of the lens, seen from the screen.
    public var lens = Lens.top
    /// Whether the screen lights the guest's face for the last moment of a countdown.
    public var fillLight = true
    /// The page's headline between sessions, or `nil` for the built-in headline.
    public var title: String?

    /// A position of the lens, seen from the screen.
    public enum Lens: String, CaseIterable, Sendable {
      /// The lens is above the screen.
      case top
      /// The lens is to the right of the screen.
      case right
      /// The lens is below the screen.
      case bottom
      /// The lens is to the left of the screen.
      case left
    }

    /// Creates the default settings.
    public init() {}

    /// The settings of the page's server, or `nil` for no page.
    package var server: KioskConfiguration? {
      guard let listen else { return nil }
      var server = KioskConfiguration(address: listen, version: Retake.version)
      server.hosts = hosts
      server.token = token
      server.pin = pin
      server.directory = directory
      return server
    }
  }
}
