package import Encodings
package import Spatial

extension JSONWriter {
  /// Writes a FeatureCollection of GeoJSON (RFC 7946); the closure writes its features.
  ///
  /// - Parameters:
  ///   - generator: The program that is named as the writer; `nil` for none.
  ///   - features: Writes the features, each with
  ///     ``feature(id:latitude:longitude:altitudeMeters:_:)``.
  /// - Throws: The error of `features`.
  package mutating func featureCollection<Failure: Error>(
    generator: String? = nil, _ features: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try object { writer throws(Failure) in
      writer.member("type", "FeatureCollection")
      writer.member("generator", generator)
      try writer.array("features", features)
    }
  }

  /// Writes a feature whose geometry is a point.
  package mutating func feature(
    id: String?, at coordinate: Coordinate, _ properties: (inout JSONWriter) -> Void
  ) {
    feature(
      id: id, latitude: coordinate.latitude, longitude: coordinate.longitude, properties)
  }

  /// Writes a feature whose geometry is a point.
  ///
  /// - Parameters:
  ///   - id: The id; `nil` for none.
  ///   - latitude: The latitude in degrees.
  ///   - longitude: The longitude in degrees.
  ///   - altitudeMeters: The altitude in metres; `nil` where it is unknown.
  ///   - properties: Writes the members of the properties.
  package mutating func feature(
    id: String? = nil, latitude: Double, longitude: Double, altitudeMeters: Double? = nil,
    _ properties: (inout JSONWriter) -> Void
  ) {
    object { writer in
      writer.member("type", "Feature")
      writer.member("id", id)
      writer.object("geometry") { writer in
        writer.member("type", "Point")
        // Longitude comes first: RFC 7946, section 3.1.1.
        writer.array("coordinates") { writer in
          writer.number(degrees: longitude)
          writer.number(degrees: latitude)
          if let altitudeMeters { writer.number(altitudeMeters) }
        }
      }
      writer.object("properties", properties)
    }
  }
}
