/// A list that keeps only its newest elements.
struct CappedList<Element> {
  /// The maximum number of elements.
  let most: Int
  /// The elements, the oldest first.
  private(set) var elements: [Element] = []

  init(most: Int) { self.most = most }

  /// Appends an element; returns the oldest element if the list was full and dropped it.
  mutating func append(_ element: Element) -> Element? {
    elements.append(element)
    return elements.count > most ? elements.removeFirst() : nil
  }
}

extension CappedList: Sendable where Element: Sendable {}
