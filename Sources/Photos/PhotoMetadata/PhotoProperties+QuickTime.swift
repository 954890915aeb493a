import CivilTime
import Spatial

extension PhotoProperties {
  /// Fills in missing properties from the native metadata of a QuickTime movie.
  mutating func complete(with movie: QuickTimeMetadata) {
    let (position, altitude, finding) = Self.position(movie)
    quickTimePosition = finding
    if coordinate == nil, let position {
      coordinate = position
      positionSource = .quickTime
      altitudeMeters = altitude
      horizontalAccuracyMeters = movie.texts(.accuracy).lazy.compactMap { Double($0) }.first
        .flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
    if captureTimeSource == nil || captureTimeSource == .gps,
      let time = Self.captureTime(movie)
    {
      captured = time
      captureTimeSource = .quickTime
    }
    make = make ?? movie.texts(.make).first
    model = model ?? movie.texts(.model).first
  }

  /// Returns the first valid position, or else the finding for the first position.
  private static func position(
    _ movie: QuickTimeMetadata
  ) -> (Coordinate?, altitude: Double?, PositionFinding) {
    var first: PositionFinding?
    for text in movie.texts(.location) {
      guard let written = ISO6709(text) else {
        first = first ?? .unreadableNumber
        continue
      }
      let (coordinate, finding) = checked(
        latitude: written.latitude, longitude: written.longitude)
      if let coordinate { return (coordinate, written.altitude, finding) }
      first = first ?? finding
    }
    if let place = movie.place {
      let (coordinate, finding) = checked(latitude: place.latitude, longitude: place.longitude)
      if let coordinate { return (coordinate, place.altitude, finding) }
      first = first ?? finding
    }
    return (nil, nil, first ?? .absent)
  }

  /// Returns the first valid date: the creation date written by the camera, usually with its UTC
  /// offset, else the date in the movie header.
  private static func captureTime(_ movie: QuickTimeMetadata) -> CaptureTime? {
    for text in movie.texts(.creationDate) {
      guard let (time, offset) = ExifDateTime.parse(text, fraction: nil) else { continue }
      return CaptureTime(
        instant: time.instant(utcOffsetMinutes: offset ?? 0), utcOffsetMinutes: offset)
    }
    return movie.created.map { CaptureTime(instant: $0) }
  }
}
