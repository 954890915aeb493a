/// The key of an element in a set.
protocol ElementKey: Comparable, Sendable {}

/// The state of an element in a set, which may be its absence.
protocol ElementValue: MergedValue {
  var isPresent: Bool { get }
  static var absent: Self { get }
}

extension Bool: ElementValue {
  var isPresent: Bool { self }
  static var absent: Bool { false }
}

/// A mergeable set: elements by key, each a register of its own. A removed element leaves its key
/// and time behind, so that a merge does not bring it back.
struct ElementSet<Key: ElementKey, Value: ElementValue>: Equatable, Sendable {
  struct Element: Equatable, Sendable {
    let key: Key
    var register: Register<Value>
  }

  /// The elements, sorted by key and without duplicates.
  private(set) var elements: [Element] = []

  init() {}

  /// Creates a set of elements in any order. Elements with the same key are merged.
  init(_ elements: [Element]) {
    self.elements = elements
    guard elements.count > 1 else { return }
    let isInOrder = zip(elements, elements.dropFirst()).allSatisfy { $0.key < $1.key }
    guard !isInOrder else { return }
    self.elements = []
    for element in elements.sorted(by: { $0.key < $1.key }) {
      if let last = self.elements.last, last.key == element.key {
        self.elements[self.elements.count - 1].register.merge(element.register)
      } else {
        self.elements.append(element)
      }
    }
  }

  /// The elements that are in the set.
  var present: some Sequence<Element> { elements.lazy.filter { $0.register.value.isPresent } }

  /// Returns the latest time of an element, or the given time if that is later.
  func latest(_ time: Int64) -> Int64 { elements.reduce(time) { max($0, $1.register.time) } }

  /// Merges the elements of another set into this one.
  ///
  /// - Complexity: O(*n* + *m*), where *n* and *m* are the numbers of elements of both sets.
  mutating func merge(_ other: ElementSet) {
    guard self != other, !other.elements.isEmpty else { return }
    var merged: [Element] = []
    merged.reserveCapacity(elements.count + other.elements.count)
    var own = elements[...]
    for element in other.elements {
      while let next = own.first, next.key < element.key {
        merged.append(next)
        own.removeFirst()
      }
      guard var next = own.first, next.key == element.key else {
        merged.append(element)
        continue
      }
      own.removeFirst()
      next.register.merge(element.register)
      merged.append(next)
    }
    elements = merged + own
  }

  /// Replaces the present elements with the given ones; others become absent.
  ///
  /// - Parameters:
  ///   - values: The elements, sorted by key and without duplicates.
  ///   - now: The time of the change.
  mutating func write(_ values: [(key: Key, value: Value)], now: Int64) {
    var written: [Element] = []
    written.reserveCapacity(values.count)
    var own = elements[...]
    func takeOut(_ element: Element) -> Element {
      var element = element
      if element.register.value.isPresent { element.register.write(.absent, now: now) }
      return element
    }
    for (key, value) in values {
      while let next = own.first, next.key < key {
        written.append(takeOut(next))
        own.removeFirst()
      }
      if var next = own.first, next.key == key {
        own.removeFirst()
        next.register.write(value, now: now)
        written.append(next)
      } else {
        written.append(Element(key: key, register: Register(value: value, time: now)))
      }
    }
    elements = written + own.map(takeOut)
  }
}
