/// What a server has done.
struct HTTPCounts: Sendable {
  var connections = 0
  var requests = 0
  /// Answers by their hundreds: 2 for those from 200 to 299.
  var answers: [Int: Int] = [:]
  /// Connections that were not taken.
  var refused = 0
  /// Idle connections that made room.
  var evicted = 0
  /// Clients that were too slow.
  var cut = 0
}
