import Encodings
import Spatial

/// Reads the places in JSON that has no format of its own: objects with a position, in lists at any
/// depth, such as check-ins of Foursquare's export and the favourites of many programs.
///
/// An object is a place if it holds a position itself or in an object that describes it, such as
/// `location` or `venue`. The names of its members are those that ``PlaceField`` knows. The name of
/// an object that holds a list of places becomes their collection. In a list with places, objects
/// without a position are counted.
enum JSONPlaces {
  /// The maximum depth of lists and objects that are searched.
  private static let maximumDepth = 16

  /// Reads a document.
  ///
  /// - Parameter text: The document, or a sequence of documents (``JSONTexts``).
  /// - Returns: The places.
  /// - Throws: ``PlaceFileError/unknownFormat`` where it holds no place.
  static func read(_ text: [UInt8]) throws(PlaceFileError) -> PlaceFile {
    var walk = Walk()
    do throws(JSONError) {
      if let ranges = JSONTexts.ranges(text) {
        for range in ranges where walk.failure == nil {
          do throws(JSONError) {
            var reader = JSONReader(text, range: range)
            try walk.readValue(&reader, depth: 0)
            try reader.end()
          } catch { walk.file.skip(.malformed) }
        }
      } else {
        var reader = JSONReader(text)
        try walk.readValue(&reader, depth: 0)
        if walk.failure == nil { try reader.end() }
      }
    } catch { throw .json(error) }
    if let failure = walk.failure { throw failure }
    guard !walk.file.records.isEmpty else { throw .unknownFormat }
    if isRecording(walk.file) { throw .foreign(.recording) }
    return walk.file
  }

  /// Returns whether places are the fixes of a recording: several, each with a time and nothing
  /// else.
  private static func isRecording(_ file: PlaceFile) -> Bool {
    file.records.count + file.repeatedCount >= 3
      && file.records.allSatisfy { $0.created != nil && $0.name.isEmpty && $0.notes.isEmpty }
  }

  private struct Walk {
    var file = PlaceFile(format: .objects)
    var failure: PlaceFileError?

    private var placeCount: Int { file.records.count + file.repeatedCount }

    /// Reads a value that may hold places. Returns whether it does.
    @discardableResult
    mutating func readValue(
      _ reader: inout JSONReader, depth: Int
    ) throws(JSONError) -> Bool {
      guard depth < JSONPlaces.maximumDepth, failure == nil else {
        try reader.skipValue()
        return false
      }
      let count = placeCount
      switch try reader.peek() {
      case .array:
        var others: [String] = []
        try reader.beginArray()
        while failure == nil, try reader.nextElement() {
          if let name = try readElement(&reader, depth: depth + 1) { others.append(name) }
        }
        guard placeCount > count else { return false }
        for name in others { file.skip(.withoutPosition, name) }
      case .object: try readElement(&reader, depth: depth)
      default: try reader.skipValue()
      }
      return placeCount > count
    }

    /// Reads an element of a list. Returns the name of an element that neither is nor holds a
    /// place, which is empty if it has none.
    @discardableResult
    mutating func readElement(
      _ reader: inout JSONReader, depth: Int
    ) throws(JSONError) -> String? {
      guard try reader.peek() == .object else {
        return try readValue(&reader, depth: depth) ? nil : ""
      }
      let object = try JSONObject(&reader)
      let place = try PlaceObject(object)
      if place.isPlace {
        if place.isVisit { file.dialect = "check-ins" }
        do throws(PlaceFileError) {
          if let record = place.record(&file) { try file.add(record) }
        } catch { failure = error }
        return nil
      }
      let start = file.records.count
      let count = placeCount
      var unread: [String] = []
      try object.forEach { key, reader throws(JSONError) in
        if failure == nil, try !readValue(&reader, depth: depth + 1) { unread.append(key) }
      }
      let name = place.values.text(.name)
      guard placeCount > count else { return name }
      for key in unread where PlaceField(columnName: key) != .name { file.leaveUnread(key) }
      file.collect(name, from: start)
      return nil
    }
  }
}
