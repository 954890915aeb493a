extension PlaceDocument {
  /// The places of a collection with all that is known of them, without those that were removed.
  ///
  /// - Parameter collection: The name of the collection.
  /// - Returns: The document of these places.
  package func selecting(collection: String) -> PlaceDocument {
    var selected = PlaceDocument()
    for place in places where place.collections.contains(collection) { selected.merge(place) }
    return selected
  }
}
