/// The newest elements of a list that has a bound.
struct CappedList<Element> {
  /// How many elements it keeps.
  let limit: Int
  /// What it keeps, the oldest first.
  private(set) var elements: [Element] = []

  init(limit: Int) { self.limit = limit }

  /// Adds an element; gives the oldest, which it lets go where there are too many.
  mutating func append(_ element: Element) -> Element? {
    elements.append(element)
    return elements.count > limit ? elements.removeFirst() : nil
  }
}

extension CappedList: Sendable where Element: Sendable {}
