/// A list that keeps only its newest elements.
struct CappedList<Element> {
  /// The maximum number of elements.
  let limit: Int
  /// The elements, the oldest first.
  private(set) var elements: [Element] = []

  init(limit: Int) { self.limit = limit }

  /// Appends an element; returns the oldest element if the list was full and dropped it.
  mutating func append(_ element: Element) -> Element? {
    elements.append(element)
    return elements.count > limit ? elements.removeFirst() : nil
  }
}

extension CappedList: Sendable where Element: Sendable {}
