/// How far the lens drew the picture near.
public struct FocalLength: Hashable, Sendable {
  /// That of the lens in millimetres; `nil` where the photo does not say.
  public let millimeters: Double?
  /// That of a lens which would show as much on 35 mm film, in millimetres; `nil` where the photo
  /// does not say.
  public let millimetersOn35mmFilm: Int?

  /// Creates a focal length; `nil` where nothing is known of it.
  ///
  /// - Parameters:
  ///   - millimeters: That of the lens, above 0 and up to 100,000; anything else is unknown.
  ///   - millimetersOn35mmFilm: The equivalent, from 1 to 65,535; anything else is unknown.
  public init?(millimeters: Double?, millimetersOn35mmFilm: Int?) {
    self.millimeters = millimeters.flatMap { $0 > 0 && $0 <= 100_000 ? $0 : nil }
    self.millimetersOn35mmFilm =
      millimetersOn35mmFilm.flatMap { (1...65_535).contains($0) ? $0 : nil }
    guard self.millimeters != nil || self.millimetersOn35mmFilm != nil else { return nil }
  }
}
