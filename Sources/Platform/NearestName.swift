/// The name among `known` that `name` was most likely meant to be; nil when none is close.
package func nearestName(to name: String, among known: [String]) -> String? {
  let scored = known.map { (name: $0, distance: editDistance(name, $0)) }
  guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(2, name.count / 3) ? best.name : nil
}

/// Up to `limit` names among `known` that `name` may have been meant to be, the likeliest first.
package func nearestNames(to name: String, among known: [String], limit: Int = 3) -> [String] {
  let scored = known.map { (name: $0, distance: editDistance(name, $0)) }
    .filter { $0.distance <= max(2, name.count / 2) }
    .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
  return scored.prefix(limit).map(\.name)
}

/// How many letters must be added, dropped, changed or swapped with their neighbour.
package func editDistance(_ first: String, _ second: String) -> Int {
  // Bounded: the name comes from a file, and the table is its length squared.
  let (a, b) = (Array(first.prefix(128)), Array(second.prefix(128)))
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
