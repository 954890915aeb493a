/// The narrowest span of longitudes in which all of some lie: what is left of the globe without the
/// widest gap between them.
///
/// Longitudes are sorted into 4096 steps. Gaps narrower than a step (0.09°) may be passed over, so
/// that a box around the whole globe may be as much too wide.
struct NarrowestSpan {
  private static let steps = 4096

  /// The westernmost and the easternmost longitude in each step.
  private var ends: [(west: Double, east: Double)?] = Array(repeating: nil, count: steps)

  /// Takes a longitude in, −180 to 180.
  mutating func add(_ longitude: Double) {
    let number = Int(saturating: (longitude + 180) / 360 * Double(Self.steps))
    let step = min(max(number, 0), Self.steps - 1)
    let known = ends[step] ?? (longitude, longitude)
    ends[step] = (min(known.west, longitude), max(known.east, longitude))
  }

  /// The ends of the span; `nil` where there is no longitude. The western one is the greater where
  /// the span crosses the 180° meridian, which it does only where it is narrower so.
  var span: (west: Double, east: Double)? {
    let ends = ends.compactMap { $0 }
    guard let first = ends.first, let last = ends.last else { return nil }
    var span = (west: first.west, east: last.east)
    var widest = first.west + 360 - last.east
    for (before, after) in zip(ends, ends.dropFirst()) where after.west - before.east > widest {
      widest = after.west - before.east
      span = (after.west, before.east)
    }
    return span
  }
}
