/// The counters of a server.
struct HTTPCounts: Sendable {
  var connections = 0
  var requests = 0
  /// The number of answers by the first digit of their status: 2 for 200 to 299.
  var answers: [Int: Int] = [:]
  /// The number of connections that were refused.
  var refused = 0
  /// The number of idle connections that were closed for new ones.
  var evicted = 0
  /// The number of connections that were closed because the client was too slow.
  var cut = 0
}
