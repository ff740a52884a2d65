import Platform

/// The limits for clients.
public struct HTTPLimits: Equatable, Sendable {
  /// The maximum number of connections; a further one replaces an idle one.
  public var connections = 256
  /// The maximum number of bytes in a request's line and headers.
  public var headerBytes = 16 << 10
  /// The memory of one connection in bytes: the headers, the library's parsed form, and the
  /// answer's headers.
  ///
  /// The library keeps each cookie twice, with some 60 bytes more for each.
  var connectionBytes: Int { 4 * headerBytes }
  /// The maximum number of bytes in a request's body.
  public var bodyBytes = 16 << 10
  /// The maximum number of bytes of an overlong body that are read and dropped before its answer.
  ///
  /// A client that sends more is disconnected.
  public var droppedBytes = 64 << 10
  /// The time from a new connection to the end of its first request's headers.
  public var headerTime = Duration.seconds(10)
  /// The time from one answer's end to the end of the next request's headers.
  public var idleTime = Duration.seconds(30)
  /// The time from the end of the headers to the end of the body.
  public var bodyTime = Duration.seconds(10)
  /// The time for an answer, plus a second for every ``slowestRate`` bytes.
  public var answerTime = Duration.seconds(20)
  /// The minimum rate, in bytes a second, at which a client must take a large answer.
  public var slowestRate = 32 << 10
  /// The time that the station may take for an answer, and for each further piece of a file.
  ///
  /// A library on a disk that hangs never answers.
  public var workTime = Duration.seconds(60)
  /// The time without progress after which a listening page, or a viewer of a picture stream, is
  /// disconnected.
  ///
  /// The time counts only while there are bytes to send.
  public var stallTime = Duration.seconds(10)
  /// The time that a request for a newer preview frame waits.
  public var frameTime = Duration.seconds(2)
  /// The interval of the heartbeats in event streams.
  public var heartbeat = Duration.seconds(1)
  /// The interval at which deadlines are checked.
  public var watch = Duration.milliseconds(250)
  /// The maximum number of event streams.
  public var eventStreams = 64
  /// The number of bytes of untaken answers above which further large answers are refused.
  public var bytesInFlight = MemoryBudget.answers
  /// The maximum number of viewers of picture streams.
  public var viewers = 64

  /// Creates the default limits.
  public init() {}
}
