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
    for text in movie.texts(.creationDate) { offer(text: text, from: .quickTime) }
    if let created = movie.created {
      offer(CaptureTime(instant: created), from: .quickTimeHeader)
    }
    make = make ?? movie.texts(.make).first
    model = model ?? movie.texts(.model).first
    title = title ?? PhotoText.ofPerson(movie.texts(.title).first)
    caption = caption ?? PhotoText.ofPerson(movie.texts(.caption).first)
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
}
