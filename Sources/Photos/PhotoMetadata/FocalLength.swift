/// A lens's focal length.
public struct FocalLength: Hashable, Sendable {
  /// The actual focal length in millimetres; `nil` if the photo does not contain it.
  public let millimeters: Double?
  /// The focal length in millimetres with the same angle of view on 35 mm film; `nil` if the photo
  /// does not contain it.
  public let millimetersOn35mmFilm: Int?

  /// Creates a focal length, or returns `nil` if neither number is known.
  ///
  /// - Parameters:
  ///   - millimeters: The actual focal length, above 0 and up to 100,000; other numbers count as
  ///     unknown.
  ///   - millimetersOn35mmFilm: The 35 mm equivalent, 1–65,535; other numbers count as unknown.
  public init?(millimeters: Double?, millimetersOn35mmFilm: Int?) {
    self.millimeters = millimeters.flatMap { $0 > 0 && $0 <= 100_000 ? $0 : nil }
    self.millimetersOn35mmFilm =
      millimetersOn35mmFilm.flatMap { (1...65_535).contains($0) ? $0 : nil }
    guard self.millimeters != nil || self.millimetersOn35mmFilm != nil else { return nil }
  }
}
