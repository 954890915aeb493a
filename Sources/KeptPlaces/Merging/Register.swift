/// A value that two machines may have set to different values at the same millisecond.
protocol MergedValue: Equatable, Sendable {
  /// Whether the value is kept of the two, in a total order that every machine has.
  func prevails(over other: Self) -> Bool
}

/// A value and the time at which it was written: a last-writer-wins register (M. Shapiro, N.
/// Preguiça, C. Baquero and M. Zawirski, "A comprehensive study of Convergent and Commutative
/// Replicated Data Types", 2011, section 3.2.1).
///
/// Merging is commutative, associative and idempotent.
struct Register<Value: MergedValue>: Equatable, Sendable {
  var value: Value
  /// Milliseconds since 1970.
  var time: Int64

  /// Takes the later value; of one time, that which prevails.
  ///
  /// - Returns: Whether that changed the register.
  @discardableResult
  mutating func merge(_ other: Register) -> Bool {
    guard other.time > time || (other.time == time && other.value.prevails(over: value)) else {
      return false
    }
    self = other
    return true
  }

  /// Writes a value, later than the one that it replaces however the clocks go.
  ///
  /// - Returns: Whether the value is another one.
  @discardableResult
  mutating func write(_ new: Value, now: Int64) -> Bool {
    guard new != value else { return false }
    self = Register(value: new, time: PlaceTime.after(time, now: now))
    return true
  }
}

/// Times of registers, which are whole numbers that every reader of JSON takes exactly.
enum PlaceTime {
  /// The times that are read: 140,000 years before and after 1970.
  static let range = -(Int64(1) << 52)...(Int64(1) << 52)

  /// The time of a write: now, or just after what it replaces where that is later.
  static func after(_ time: Int64, now: Int64) -> Int64 {
    min(max(now, time + 1), range.upperBound)
  }
}

extension Bool: MergedValue {
  func prevails(over other: Bool) -> Bool { self && !other }
}

extension Double: MergedValue {
  func prevails(over other: Double) -> Bool { self > other }
}
