import Platform
import StationConfiguration
import Trigger

extension Station {
  /// What is decided by whoever starts it, not by the configuration.
  public struct Options: Sendable {
    /// The camera to use, in place of the configuration's; it must be there at the start.
    public var camera: String?
    /// The rate to ask for, in place of the configuration's.
    public var rate: Double?
    /// Whether the keys of the terminal are triggers.
    public var usesTerminal = false
    /// Is told on the station's loop what came of each key of the terminal.
    public var terminalAnswer: @Sendable (TerminalTrigger.Answer) -> Void = { _ in }
    /// Whether signals are triggers: `SIGUSR1` is the shutter, `SIGHUP` reloads, `SIGTERM` ends.
    public var usesSignals = false
    /// Whether the configured buttons and lamps are used.
    public var usesPanel = true
    /// Whether it only shows what there is to choose: no camera is opened and nothing is written.
    ///
    /// It may then run beside the station that has the library.
    public var isBrowsingOnly = false
    /// Whether a socket listens for triggers.
    public var usesSocket = true
    /// Whether the configured page is served; a program with a page of its own leaves it out.
    public var usesWeb = false
    /// A listening socket for the page that somebody else opened, in place of `web.listen`.
    public var webListener: Int32?
    /// Reads the configuration again, for `TriggerAction.reload`; nil: there is nothing to read.
    public var reload: (@Sendable () throws(ConfigurationError) -> Configuration)?
    /// A file to which the demo camera and clips write the number and time of each frame.
    public var sourceLog: String?
    /// A file to which the fate of each frame is appended; see `CameraOptions.frameLog`.
    public var frameLog: String?

    /// Who is told how the station stands, and that it lives; nil: nobody.
    public var manager: ServiceManager?
    /// Whether it waits for what is wrong to be put right, and says so, instead of giving up.
    public var isPatient = false
    /// What is wrong with the configuration; with ``isPatient``, presses are refused until it is
    /// read again without fault.
    public var configurationProblem: ConfigurationError?

    /// Makes the options of a station inside another program.
    public init() {}
  }
}
