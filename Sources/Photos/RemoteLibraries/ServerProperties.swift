import CivilTime
import Encodings
import PhotoLibrary
import PhotoMetadata
import Spatial

extension PhotoProperties {
  /// Sets a position from a server; 0, 0 is treated as none.
  mutating func set(latitude: Double?, longitude: Double?) {
    guard let latitude, let longitude, latitude != 0 || longitude != 0,
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return }
    coordinate = place
    positionSource = .server
  }

  /// Sets a capture time from a server.
  mutating func set(captured: CaptureTime?) {
    self.captured = captured
    captureTimeSource = captured == nil ? nil : .server
  }

  /// Sets the camera and lens.
  ///
  /// - Parameters:
  ///   - make: The maker, of which at most 100 characters are used; empty for none.
  ///   - model: The model, likewise.
  ///   - focalLength: The focal length in millimetres.
  mutating func set(make: String?, model: String?, focalLength: Double?) {
    self.make = make.flatMap { $0.isEmpty ? nil : String($0.prefix(100)) }
    self.model = model.flatMap { $0.isEmpty ? nil : String($0.prefix(100)) }
    self.focalLength = FocalLength(millimeters: focalLength, millimetersOn35mmFilm: nil)
  }
}

extension CaptureTime {
  /// Creates a capture time from its instant and the camera's local time, which servers write with
  /// the zone UTC. A difference that no time zone has is ignored.
  init(_ taken: Instant, localAsUTC local: Instant) {
    let minutes = local.seconds(since: taken) / 60
    let isOffset = abs(minutes) <= 15 * 60 && (minutes / 15).rounded() * 15 == minutes
    self.init(instant: taken, utcOffsetMinutes: isOffset ? Int(saturating: minutes) : nil)
  }
}

extension String {
  /// The instant in ISO 8601 that the text is; `nil` for other text.
  var instant: Instant? { Instant(iso8601: self) }
}
