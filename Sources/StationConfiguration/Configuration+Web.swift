import KioskServer

extension Configuration {
  /// `[web]`: the page and its address.
  public struct Web: Equatable, Sendable {
    /// Where it is; nil: there is none.
    public var listen: KioskAddress? = KioskAddress(host: "127.0.0.1", port: 8080)
    /// Names under which browsers may ask for it.
    public var hosts: [String] = []
    /// What clients must know; nil: nothing.
    public var token: String?
    /// What the operator types; nil: nothing.
    public var pin: String?
    /// A directory whose files come before those that are built in; nil: none.
    public var directory: String?
    /// `auto`, or the page's language.
    public var language = "auto"
    /// Whether countdown and shutter are heard.
    public var sounds = false
    /// Whether saved photos are shown while nobody is there.
    public var slideshow = true
    /// Whether guests can look through the saved photos.
    public var gallery = true
    /// Where the lens is, seen from the screen.
    public var lens = Lens.top
    /// Whether the screen lights the guest's face for the last moment of a countdown.
    public var fillLight = true
    /// The headline while nobody is there; nil: the page's own words.
    public var title: String?

    /// Where the lens is, seen from the screen.
    public enum Lens: String, CaseIterable, Sendable {
      /// Above it.
      case top
      /// To its right.
      case right
      /// Below it.
      case bottom
      /// To its left.
      case left
    }

    /// Makes the defaults.
    public init() {}

    /// The server's part; nil: there is none.
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
