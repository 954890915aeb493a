/// The pending deliveries of one notifier in order of arrival, searchable by the alert's id.
///
/// All operations take constant time on average, however many deliveries wait.
struct DeliveryQueue: Sendable {
  /// The deliveries; `nil` where one was removed.
  private var slots: [PendingDelivery?] = []
  /// The number of the first slot since the beginning: all before it are gone.
  private var firstNumber = 0
  /// The numbers of the slots by the alerts' ids.
  private var numbers: [String: Int] = [:]
  /// The number of deliveries with attempts whose end is not recorded.
  private var unendedCount = 0

  /// The number of empty slots beyond which they are removed, if they are the majority.
  private static let maximumEmptyCount = 64

  var count: Int { numbers.count }
  var isEmpty: Bool { numbers.isEmpty }

  /// The deliveries in order of arrival.
  var all: some Sequence<PendingDelivery> { slots.lazy.compactMap(\.self) }

  /// The deliveries in the order of delivery: the oldest first, and last those during which the
  /// program ended before.
  var inDeliveryOrder: AnySequence<PendingDelivery> {
    guard unendedCount > 0 else { return AnySequence(all) }
    return AnySequence(all.filter { $0.unended == nil } + all.filter { $0.unended != nil })
  }

  func contains(id: String) -> Bool { numbers[id] != nil }

  /// Adds a delivery at the end. It replaces a pending delivery of the same alert.
  mutating func append(_ delivery: PendingDelivery) {
    remove(id: delivery.content.id)
    numbers[delivery.content.id] = firstNumber + slots.count
    slots.append(delivery)
    if delivery.unended != nil { unendedCount += 1 }
  }

  /// Replaces a delivery by another state of it; does nothing if it is gone.
  mutating func replace(_ delivery: PendingDelivery) {
    guard let slot = slot(of: delivery) else { return }
    if slots[slot]?.unended != nil { unendedCount -= 1 }
    slots[slot] = delivery
    if delivery.unended != nil { unendedCount += 1 }
  }

  /// Removes a delivery, unless it was replaced by one of another time.
  mutating func remove(_ delivery: PendingDelivery) {
    if slot(of: delivery) != nil { remove(id: delivery.content.id) }
  }

  private func slot(of delivery: PendingDelivery) -> Int? {
    guard let number = numbers[delivery.content.id] else { return nil }
    let slot = number - firstNumber
    return slots[slot]?.queued == delivery.queued ? slot : nil
  }

  private mutating func remove(id: String) {
    guard let number = numbers.removeValue(forKey: id) else { return }
    let slot = number - firstNumber
    if slots[slot]?.unended != nil { unendedCount -= 1 }
    slots[slot] = nil
    dropEmptySlots()
  }

  private mutating func dropEmptySlots() {
    let emptyCount = slots.count - count
    guard emptyCount > Self.maximumEmptyCount, emptyCount > count else { return }
    firstNumber += slots.count
    slots.removeAll { $0 == nil }
    for (slot, delivery) in slots.enumerated() {
      if let id = delivery?.content.id { numbers[id] = firstNumber + slot }
    }
  }
}
