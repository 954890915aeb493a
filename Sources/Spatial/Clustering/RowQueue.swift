/// Rows that wait for their turn in an order, each at most once: a binary heap (J. W. J. Williams,
/// "Algorithm 232: Heapsort", Communications of the ACM 7, 1964).
struct RowQueue {
  private var heap: [Int32] = []
  private var queued: Set<Int32> = []

  /// Adds a row, unless it was added before.
  mutating func insert(_ row: Int32, by precedes: (Int32, Int32) -> Bool) {
    guard queued.insert(row).inserted else { return }
    heap.append(row)
    var place = heap.count - 1
    while place > 0, precedes(row, heap[(place - 1) / 2]) {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = row
  }

  /// Removes and returns the first row in the order.
  mutating func popFirst(by precedes: (Int32, Int32) -> Bool) -> Int32? {
    guard let first = heap.first, let row = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
      guard precedes(heap[child], row) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = row
    return first
  }
}
