import Encodings
import KeptPlaces
import PhotoLibrary
import Spatial
import SpotAlerts
public import SpotWatcher

extension Service {
  /// Answers with the muted spots, in the order in which they were muted.
  func mutes(_ call: Call) throws(Problem) -> ServiceResponse {
    let spots = try readablePlaces().spots
    let inForce = try sources.mutes().filter { $0.isInForce(at: call.now) }
    return try list(call, inForce) { mute, writer in
      MuteAnswer.write(mute, spots.place(ofID: mute.spotID).map { spots.spots[$0] }, to: &writer)
    }
  }

  /// Returns the name and the position of a spot or of a place of the user's own.
  func mutableSpot(
    withID id: String
  ) throws(Problem) -> (title: String, center: Coordinate) {
    let places = try readablePlaces()
    let spots = places.spots
    // A place that is pinned to a spot alerts at the spot's position.
    let pinnedID = PlaceID(id).flatMap { places.document[$0]?.spotID }
    guard let number = spots.place(ofID: id) ?? pinnedID.flatMap({ spots.place(ofID: $0) }) else {
      throw Problem(.noSuchSpot, "The index has no spot with this id.")
    }
    let spot = spots.spots[number]
    let name = places.place(pinnedToSpotAt: number).flatMap { PlaceName.line($0.name) }
    return (name ?? spot.title, spot.coordinate)
  }

  /// Returns the work for muting a spot. The body is `{until?}` or empty.
  func mute(_ call: Call) throws(Problem) -> ServiceWork {
    let center = try mutableSpot(withID: call.variable).center
    let until = try RequestBody.until(call.request.body)
    if let until, until <= call.now { throw Parameters.bad("until", "must be in the future") }
    return .mute(
      spotID: call.variable, latitude: center.latitude, longitude: center.longitude, until: until)
  }

  /// Returns the work for unmuting a spot, which must be muted or in the index.
  func unmute(_ call: Call) throws(Problem) -> ServiceWork {
    if try !sources.mutes().contains(where: { $0.spotID == call.variable }) {
      _ = try mutableSpot(withID: call.variable)
    }
    return .unmute(spotID: call.variable)
  }

  /// Creates the response to a spot that was muted.
  ///
  /// - Throws: A problem where the index cannot be read.
  public func muted(_ mute: MutedSpot) throws(Problem) -> ServiceResponse {
    let spots = try readablePlaces().spots
    let spot = spots.place(ofID: mute.spotID).map { spots.spots[$0] }
    return ServiceResponse { MuteAnswer.write(mute, spot, to: &$0) }
  }
}
