import Interchange
import PhotoLibrary
import Spatial
import SpotAlerts
public import SpotWatcher

extension Service {
  /// The spots that are muted now, in the order in which they were.
  func mutes(_ call: Call) throws(Problem) -> ServiceResponse {
    let library = try sources.library()
    let inForce = try sources.mutes().filter { $0.isInForce(at: call.now) }
    return try list(call, inForce) { mute, writer in
      MuteAnswer.write(
        mute, library.spots.place(ofID: mute.spotID).map { library.spots.spots[$0] }, to: &writer)
    }
  }

  /// A spot that is to be muted: the body is `{until?}`, or nothing.
  func mute(_ call: Call) throws(Problem) -> ServiceWork {
    let library = try sources.library()
    let place = try place(ofSpot: call.variable, library)
    let center = library.spots.spots[place].coordinate
    let until = try RequestBody.until(call.request.body)
    if let until, until <= call.now { throw Parameters.bad("until", "is over already") }
    return .mute(
      spotID: call.variable, latitude: center.latitude, longitude: center.longitude, until: until)
  }

  /// A spot that is to be heard of again: one that is muted, or that the index has.
  func unmute(_ call: Call) throws(Problem) -> ServiceWork {
    if try !sources.mutes().contains(where: { $0.spotID == call.variable }) {
      _ = try place(ofSpot: call.variable, try sources.library())
    }
    return .unmute(spotID: call.variable)
  }

  /// The answer to a spot that was muted.
  ///
  /// - Throws: A problem where the index cannot be read.
  public func muted(_ mute: MutedSpot) throws(Problem) -> ServiceResponse {
    let library = try sources.library()
    let spot = library.spots.place(ofID: mute.spotID).map { library.spots.spots[$0] }
    return ServiceResponse { MuteAnswer.write(mute, spot, to: &$0) }
  }
}
