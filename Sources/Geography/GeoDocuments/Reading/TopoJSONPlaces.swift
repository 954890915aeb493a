import Encodings
import Spatial

/// Reads the points of TopoJSON (github.com/topojson/topojson-specification, version 1.0.0).
///
/// The objects of a topology are geometries, most of them collections of geometries with
/// properties; the name of each object becomes a collection. Positions may be counts of steps,
/// which the member `transform` of the topology makes degrees (section 2.1.2).
enum TopoJSONPlaces {
  static func read(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFile {
    var file = PlaceFile(format: .topojson)
    var failure: PlaceFileError?
    do throws(JSONError) {
      let topology = try JSONObject(document: text)
      let steps = try topology.object("transform").map(PositionSteps.init)
      guard let objects = try topology.object("objects") else {
        throw topology.error("the topology has no objects")
      }
      try objects.forEach { name, reader throws(JSONError) in
        guard failure == nil else { return }
        let start = file.records.count
        try readGeometry(&reader, steps, depth: 0, &file, &failure)
        file.collect(name, from: start)
      }
    } catch { throw .json(error) }
    if let failure { throw failure }
    return file
  }

  /// The maximum nesting of collections.
  private static let maximumDepth = 8

  /// Reads a geometry, or each one of a collection.
  private static func readGeometry(
    _ reader: inout JSONReader, _ steps: PositionSteps?, depth: Int, _ file: inout PlaceFile,
    _ failure: inout PlaceFileError?
  ) throws(JSONError) {
    guard try reader.peek() == .object, depth < maximumDepth else {
      try reader.skipValue()
      return file.skip(.malformed)
    }
    var ahead = reader
    let geometry = try JSONObject(&ahead)
    if geometry.kind(of: "geometries") == .array {
      reader = ahead
      try geometry.value("geometries") { reader throws(JSONError) in
        try reader.beginArray()
        while failure == nil, try reader.nextElement() {
          try readGeometry(&reader, steps, depth: depth + 1, &file, &failure)
        }
      }
      return
    }
    var feature = Feature()
    feature.geometry.steps = steps
    try reader.beginObject()
    while let key = try reader.nextKey() {
      // Lines and areas refer to arcs.
      if key == "arcs" { try reader.skipValue() } else { try feature.read(key, &reader) }
    }
    do throws(PlaceFileError) {
      if let record = feature.record(&file) { try file.add(record) }
    } catch { failure = error }
  }
}

/// A grid whose steps are positions: a scale and the position of its origin, each longitude first.
struct PositionSteps {
  private var scale = [1.0, 1.0]
  private var origin = [0.0, 0.0]

  init(_ object: JSONObject) throws(JSONError) {
    let number = { (reader: inout JSONReader) throws(JSONError) in try reader.double() }
    scale = try object.array("scale", number) ?? scale
    origin = try object.array("translate", number) ?? origin
    guard scale.count == 2, origin.count == 2 else {
      throw object.error("a transform has two scales and two offsets")
    }
  }

  /// Returns a position in degrees.
  func position(_ numbers: [Double]) -> [Double] {
    zip(numbers, zip(scale, origin)).map { number, step in number * step.0 + step.1 }
  }
}
