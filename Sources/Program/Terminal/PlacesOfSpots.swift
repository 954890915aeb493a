package import PhotoLibrary

/// The names of the user's places, by the spots that belong to them.
package struct PlacesOfSpots {
  private var names: [String: String] = [:]

  /// Takes the names of places; the first one that is pinned to a spot names it.
  package init(_ places: [OwnPlace]) {
    for place in places {
      guard let name = PlaceName.line(place.name) else { continue }
      names[place.id] = name
      guard let spot = place.pinnedSpotID, names[spot] == nil else { continue }
      names[spot] = name
    }
  }

  /// Returns the name of the place that a spot belongs to, or is; `nil` if there is none.
  package func name(ofSpot id: String) -> String? { names[id] }
}
