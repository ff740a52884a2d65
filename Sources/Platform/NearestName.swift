/// Returns the name among `known` that `name` was most likely meant to be; nil if none is close.
package func nearestName(to name: String, among known: [String]) -> String? {
  let scored = known.map { (name: $0, distance: editDistance(name, $0)) }
    .filter { $0.distance <= mostMistakes(in: name, for: $0.name, share: 3) }
  return scored.min { $0.distance < $1.distance }?.name
}

/// Returns up to `limit` names among `known` that `name` may have been meant to be, the likeliest
/// first.
package func nearestNames(to name: String, among known: [String], limit: Int = 3) -> [String] {
  let scored = known.map { (name: $0, distance: editDistance(name, $0)) }
    .filter { $0.distance <= mostMistakes(in: name, for: $0.name, share: 2) }
    .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
  return scored.prefix(limit).map(\.name)
}

// Returns the number of mistakes that `name` may have and still mean `other`. Words at the
// beginning of both (a group, a table, dashes) are right already, and do not make the rest more
// similar.
private func mostMistakes(in name: String, for other: String, share: Int) -> Int {
  let (letters, others) = (Array(name), Array(other))
  var shared = 0
  for index in 0..<min(letters.count, others.count) {
    guard letters[index] == others[index] else { break }
    if " .-_".contains(letters[index]) { shared = index + 1 }
  }
  let rest = letters.count - shared
  return rest < 4 ? 1 : max(2, rest / share)
}

/// Returns the number of letters that must be added, dropped, changed or swapped with their
/// neighbour.
package func editDistance(_ first: String, _ second: String) -> Int {
  // The length is limited, because the name comes from a file and the time grows with its square.
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
