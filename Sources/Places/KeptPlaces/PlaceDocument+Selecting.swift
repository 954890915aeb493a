extension PlaceDocument {
  /// Returns the places of a collection with all their fields and times, without removed places.
  ///
  /// - Parameter collection: The name of the collection.
  /// - Returns: The document of these places.
  package func selecting(collection: String) -> PlaceDocument {
    var selected = PlaceDocument()
    for place in places where place.collections.contains(collection) { selected.merge(place) }
    return selected
  }

  /// Returns the place with an id, with all its fields and times; no place where it is removed.
  package func selecting(_ id: PlaceID) -> PlaceDocument {
    var selected = PlaceDocument()
    if let place = self[id] { selected.merge(place) }
    return selected
  }
}
