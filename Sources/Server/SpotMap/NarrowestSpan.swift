/// The narrowest span that contains a set of longitudes: the complement of the widest gap between
/// them.
///
/// Longitudes are sorted into 4096 bins of about 0.09°. Gaps narrower than a bin may be missed, so
/// a span around nearly the whole globe may be too wide by that much.
struct NarrowestSpan {
  private static let steps = 4096

  /// The westernmost and easternmost longitude in each bin.
  private var ends: [(west: Double, east: Double)?] = Array(repeating: nil, count: steps)

  /// Adds a longitude from −180 to 180.
  mutating func add(_ longitude: Double) {
    let number = Int(saturating: (longitude + 180) / 360 * Double(Self.steps))
    let step = min(max(number, 0), Self.steps - 1)
    let known = ends[step] ?? (longitude, longitude)
    ends[step] = (min(known.west, longitude), max(known.east, longitude))
  }

  /// The western and eastern end of the span; `nil` if there are no longitudes. If the span crosses
  /// the 180° meridian, which it does only if it is narrower that way, the western end is the
  /// greater number.
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
