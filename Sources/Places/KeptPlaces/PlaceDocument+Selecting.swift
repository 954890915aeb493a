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
}
