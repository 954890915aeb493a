/// A value of a register, with a total order for writes of the same millisecond.
protocol MergedValue: Equatable, Sendable {
  /// Returns whether this value is kept when both were written at the same time. The order is total
  /// and the same on every machine.
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

  /// Takes the value with the later time, or the prevailing one of the same time.
  mutating func merge(_ other: Register) {
    if other.time > time || (other.time == time && other.value.prevails(over: value)) {
      self = other
    }
  }

  /// Writes a value that differs from the current one. Its time is later than that of the replaced
  /// value, whatever the clock says.
  mutating func write(_ new: Value, now: Int64) {
    if new != value { self = Register(value: new, time: PlaceTime.after(time, now: now)) }
  }
}

/// Arithmetic on the times of registers, which are integers that every JSON reader represents
/// exactly.
enum PlaceTime {
  /// The range of valid times: 140,000 years before and after 1970.
  static let range = -(Int64(1) << 52)...(Int64(1) << 52)

  /// Returns the time of a write: now, or one millisecond after the replaced value if that is
  /// later.
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
