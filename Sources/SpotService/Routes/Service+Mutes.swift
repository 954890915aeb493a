import Interchange
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

  /// Returns the position of a spot or of a place of the user's own.
  func center(ofSpot id: String) throws(Problem) -> Coordinate {
    let spots = try readablePlaces().spots
    if let number = spots.place(ofID: id) { return spots.spots[number].coordinate }
    // A place that is pinned to a spot alerts at the spot's position.
    if let place = PlaceID(id), let spotID = try readablePlaces().document[place]?.spotID,
      let number = spots.place(ofID: spotID)
    {
      return spots.spots[number].coordinate
    }
    throw Problem(.noSuchSpot, "The index has no spot with this id.")
  }

  /// Returns the work for muting a spot. The body is `{until?}` or empty.
  func mute(_ call: Call) throws(Problem) -> ServiceWork {
    let center = try center(ofSpot: call.variable)
    let until = try RequestBody.until(call.request.body)
    if let until, until <= call.now { throw Parameters.bad("until", "must be in the future") }
    return .mute(
      spotID: call.variable, latitude: center.latitude, longitude: center.longitude, until: until)
  }

  /// Returns the work for unmuting a spot, which must be muted or in the index.
  func unmute(_ call: Call) throws(Problem) -> ServiceWork {
    if try !sources.mutes().contains(where: { $0.spotID == call.variable }) {
      _ = try center(ofSpot: call.variable)
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
