import CLibrary

/// The probabilities of reaching each mode from each mode: a matrix, by columns.
struct ModeTransitions: Hashable, Sendable {
  /// The probabilities of reaching a mode, by the mode left.
  var toStill, toMoving, toRiding, toHalted: ModeValues

  /// The matrix that changes nothing.
  static let none = ModeTransitions(
    toStill: [1, 0, 0, 0], toMoving: [0, 1, 0, 0], toRiding: [0, 0, 1, 0], toHalted: [0, 0, 0, 1])

  /// The step in seconds for which the first terms of the exponential's series suffice.
  private static let seriesSeconds = 2.0
  /// The time in seconds after which the modes no longer depend on what they were.
  private static let longestSeconds = 200_000.0

  init(toStill: ModeValues, toMoving: ModeValues, toRiding: ModeValues, toHalted: ModeValues) {
    (self.toStill, self.toMoving) = (toStill, toMoving)
    (self.toRiding, self.toHalted) = (toRiding, toHalted)
  }

  /// Creates the transitions in a period from their rates per second: the matrix exponential of
  /// the rates, by scaling and squaring.
  init(rates: ModeTransitions, seconds: Double) {
    var step = min(max(seconds, 0), Self.longestSeconds)
    var squarings = 0
    while step > Self.seriesSeconds {
      step /= 2
      squarings += 1
    }
    let first = rates.scaled(by: step)
    let second = first.times(first)
    self = Self.none.plus(first).plus(second.scaled(by: 0.5))
      .plus(second.times(first).scaled(by: 1.0 / 6))
    for _ in 0..<squarings { self = times(self) }
  }

  /// Returns the probabilities of the modes afterwards.
  func applied(to weights: ModeValues) -> ModeValues {
    ModeValues(
      (weights * toStill).sum(), (weights * toMoving).sum(), (weights * toRiding).sum(),
      (weights * toHalted).sum())
  }

  /// Returns the transitions of this matrix followed by those of another.
  func times(_ other: ModeTransitions) -> ModeTransitions {
    ModeTransitions(
      toStill: times(other.toStill), toMoving: times(other.toMoving),
      toRiding: times(other.toRiding), toHalted: times(other.toHalted))
  }

  private func times(_ column: ModeValues) -> ModeValues {
    toStill * column.x + toMoving * column.y + toRiding * column.z + toHalted * column.w
  }

  private func plus(_ other: ModeTransitions) -> ModeTransitions {
    ModeTransitions(
      toStill: toStill + other.toStill, toMoving: toMoving + other.toMoving,
      toRiding: toRiding + other.toRiding, toHalted: toHalted + other.toHalted)
  }

  private func scaled(by factor: Double) -> ModeTransitions {
    ModeTransitions(
      toStill: toStill * factor, toMoving: toMoving * factor, toRiding: toRiding * factor,
      toHalted: toHalted * factor)
  }
}
