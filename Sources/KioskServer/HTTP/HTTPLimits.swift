import Platform

/// What one client may take.
public struct HTTPLimits: Equatable, Sendable {
  /// Connections at a time; more are taken only in place of idle ones.
  public var connections = 256
  /// Bytes of a request's line and headers.
  public var headerBytes = 16 << 10
  /// Bytes of memory for one connection: headers, what the library makes of them, and the answer's.
  ///
  /// The library keeps each cookie twice, with some 60 bytes more for each.
  var connectionBytes: Int { 4 * headerBytes }
  /// Bytes of a request's body.
  public var bodyBytes = 16 << 10
  /// Bytes of a body of unknown length that are read and dropped for the sake of an answer; a client
  /// that sends more is cut off.
  public var droppedBytes = 64 << 10
  /// From a new connection to the end of its first request's headers.
  public var headerTime = Duration.seconds(10)
  /// From one answer's end to the end of the next request's headers.
  public var idleTime = Duration.seconds(30)
  /// From the end of the headers to the end of the body.
  public var bodyTime = Duration.seconds(10)
  /// From the answer's begin to its end, with a second more for every ``slowestRate`` bytes.
  public var answerTime = Duration.seconds(20)
  /// The least bytes a second that a client must take of a large answer.
  public var slowestRate = 32 << 10
  /// How long the station may take for an answer, and for each further piece of a file; a library on
  /// a disk that hangs answers never.
  public var workTime = Duration.seconds(60)
  /// How long a page that listens may take nothing although there is something to send, and how long
  /// a viewer of the stream of pictures may take for one picture.
  public var stallTime = Duration.seconds(10)
  /// How long a request for a newer preview frame waits.
  public var frameTime = Duration.seconds(2)
  /// How often streams of events say that the station is alive.
  public var heartbeat = Duration.seconds(1)
  /// How often deadlines are looked at.
  public var watch = Duration.milliseconds(250)
  /// How many streams of events there may be.
  public var eventStreams = 64
  /// Bytes of answers that clients have not taken yet; while there are more, further large answers
  /// are refused.
  public var bytesInFlight = MemoryBudget.answers
  /// How many viewers of streams of pictures there may be.
  public var viewers = 64

  /// Makes the defaults.
  public init() {}
}
