import Interchange
import KeptPlaces
import PhotoLibrary
import Spatial
import SpotAlerts
public import SpotWatcher

extension Service {
  /// The spots that are muted now, in the order in which they were.
  func mutes(_ call: Call) throws(Problem) -> ServiceResponse {
    let spots = try readablePlaces().spots
    let inForce = try sources.mutes().filter { $0.isInForce(at: call.now) }
    return try list(call, inForce) { mute, writer in
      MuteAnswer.write(mute, spots.place(ofID: mute.spotID).map { spots.spots[$0] }, to: &writer)
    }
  }

  /// The position of a spot or a place of one's own.
  func center(ofSpot id: String) throws(Problem) -> Coordinate {
    let spots = try readablePlaces().spots
    if let number = spots.place(ofID: id) { return spots.spots[number].coordinate }
    // One that is pinned to a spot alerts there.
    if let place = PlaceID(id), let spotID = try readablePlaces().document[place]?.spotID,
      let number = spots.place(ofID: spotID)
    {
      return spots.spots[number].coordinate
    }
    throw Problem(.noSuchSpot, "The index has no spot of this id, or no longer.")
  }

  /// A spot that is to be muted: the body is `{until?}`, or nothing.
  func mute(_ call: Call) throws(Problem) -> ServiceWork {
    let center = try center(ofSpot: call.variable)
    let until = try RequestBody.until(call.request.body)
    if let until, until <= call.now { throw Parameters.bad("until", "is over already") }
    return .mute(
      spotID: call.variable, latitude: center.latitude, longitude: center.longitude, until: until)
  }

  /// A spot that is to be heard of again: one that is muted, or that the index has.
  func unmute(_ call: Call) throws(Problem) -> ServiceWork {
    if try !sources.mutes().contains(where: { $0.spotID == call.variable }) {
      _ = try center(ofSpot: call.variable)
    }
    return .unmute(spotID: call.variable)
  }

  /// The answer to a spot that was muted.
  ///
  /// - Throws: A problem where the index cannot be read.
  public func muted(_ mute: MutedSpot) throws(Problem) -> ServiceResponse {
    let spots = try readablePlaces().spots
    let spot = spots.place(ofID: mute.spotID).map { spots.spots[$0] }
    return ServiceResponse { MuteAnswer.write(mute, spot, to: &$0) }
  }
}
