import Platform
import StationConfiguration
import Trigger

extension Station {
  /// The options that the caller decides, instead of the configuration.
  public struct Options: Sendable {
    /// The camera in place of the configured one; it must be present at the start.
    public var camera: String?
    /// The rate in frames per second, in place of the configured one.
    public var rate: Double?
    /// Whether the keys of the terminal are triggers.
    public var usesTerminal = false
    /// Receives the reply to each key of the terminal, on the station's loop.
    public var terminalAnswer: @Sendable (TerminalTrigger.Answer) -> Void = { _ in }
    /// Whether signals are triggers: `SIGUSR1` is the shutter, `SIGHUP` reloads, `SIGTERM` ends.
    public var usesSignals = false
    /// Whether the configured buttons and lamps are used.
    public var usesPanel = true
    /// Whether the station only shows pictures, opens no camera and writes nothing.
    ///
    /// Such a station can run beside the station that holds the library's lock.
    public var isBrowsingOnly = false
    /// Whether a socket listens for triggers.
    public var usesSocket = true
    /// Whether the configured page is served; a program with its own page sets this to false.
    public var usesWeb = false
    /// A listening socket for the page, opened by another program, in place of `web.listen`.
    public var webListener: Int32?
    /// Reads the configuration again for `TriggerAction.reload`, or `nil` when there is no file.
    public var reload: (@Sendable () throws(ConfigurationError) -> Configuration)?
    /// A file to which the demo camera and clips write the number and time of each frame.
    public var sourceLog: String?
    /// A file to which the fate of each frame is appended, as in `CameraOptions.frameLog`.
    public var frameLog: String?

    /// The service manager that receives the station's status and signs of life, or `nil`.
    public var manager: ServiceManager?
    /// Whether the station reports faults and waits for their correction, instead of ending.
    public var isPatient = false
    /// The fault of the configuration.
    ///
    /// With ``isPatient``, the station refuses presses until the configuration is read again
    /// without fault.
    public var configurationProblem: ConfigurationError?

    /// Creates the options of a station inside another program.
    public init() {}
  }
}
