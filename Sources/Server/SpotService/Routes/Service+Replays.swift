public import CivilTime
import Encodings
public import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotMap
public import SpotWatcher

/// The result of replaying a track.
public struct ReplayAnswer: Sendable {
  /// The result for one group of settings.
  public struct Run: Sendable {
    /// The settings as requested; `as set` for the current ones.
    public let settings: String
    /// The days of the track.
    public let days: [Replay.Day]

    /// Creates a run.
    public init(settings: String, days: [Replay.Day]) {
      self.settings = settings
      self.days = days
    }
  }

  /// A run with the current settings, followed by one for each requested group of settings.
  public let runs: [Run]
  /// The fixes of the track, in order.
  public let track: [LocationFix]

  /// Creates an answer.
  public init(runs: [Run], track: [LocationFix]) {
    self.runs = runs
    self.track = track
  }
}

extension Service {
  /// Returns the work for replaying a track.
  func replay(_ call: Call) throws(Problem) -> ServiceWork {
    guard !call.request.body.isEmpty else {
      throw Problem(.noTrack, "The file is empty.")
    }
    let known = Set(try sources.settings().filter { $0.access == .changeable }.map(\.name))
    let sets = call.parameters.texts("set")
    for set in sets {
      for part in set.split(separator: ",", omittingEmptySubsequences: false) {
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, known.contains(String(pair[0])) else {
          throw Parameters.bad("set", "must be name=value with the name of a setting")
        }
      }
    }
    return .replay(track: call.request.body, settings: sets)
  }

  /// Creates the response to a replay: `runs`, `visits` and `track`.
  ///
  /// A run has `settings` and `days`; a day has `date fixes meters visits`. `visits` are those of
  /// the last run; a visit has `entered device spot fires decision distance`. The track is thinned
  /// like trails.
  ///
  /// - Throws: A problem where the track has no position with a time, or the index cannot be read.
  public func replayed(
    _ replay: ReplayAnswer, now: Instant
  ) throws(Problem) -> ServiceResponse {
    let track = replay.track.filter { $0.time != nil && $0.coordinate != nil }
    guard !track.isEmpty else {
      throw Problem(
        .noTrack,
        "The file contains no position with a time. GPX, KML, NMEA, GeoJSON and other formats are supported."
      )
    }
    let spots = try spotAnswer(try sources.library(), SpotFilter(), now)
    return ServiceResponse { writer in
      writer.object { writer in
        writer.array("runs") { writer in
          for run in replay.runs { run.write(to: &writer, spots) }
        }
        writer.array("visits") { writer in
          for visit in replay.runs.last?.days.flatMap(\.visits) ?? [] {
            visit.write(to: &writer, spots)
          }
        }
        writer.array("track") { writer in
          for fix in Self.thinned(track) {
            writer.array { writer in
              writer.number(degrees: fix.latitude)
              writer.number(degrees: fix.longitude)
              if let time = fix.time { writer.string(time.iso8601) }
            }
          }
        }
      }
    }
  }
}

extension ReplayAnswer.Run {
  fileprivate func write(to writer: inout JSONWriter, _ spots: SpotAnswer) {
    writer.object { writer in
      writer.member("settings", settings)
      writer.array("days") { writer in
        for day in days {
          writer.object { writer in
            writer.member("date", String(day.date.instant().iso8601.prefix(10)))
            writer.member("fixes", day.fixCount)
            writer.member("meters", day.meters.decimeters)
            writer.array("visits") { writer in
              for visit in day.visits { visit.write(to: &writer, spots) }
            }
          }
        }
      }
    }
  }
}

extension Replay.Visit {
  fileprivate func write(to writer: inout JSONWriter, _ spots: SpotAnswer) {
    writer.object { writer in
      writer.member("entered", entered.iso8601)
      writer.member("device", device)
      writer.key("spot")
      if let place = spots.library.spots.place(ofID: spot.id) {
        spots.write(place, to: &writer)
      } else if spot.isOwnPlace {
        spots.write(spot, to: &writer)
      } else {
        writer.object { writer in
          writer.member("id", spot.id)
          writer.member("latitude", degrees: spot.coordinate.latitude)
          writer.member("longitude", degrees: spot.coordinate.longitude)
          PlaceAnswer.write(spot, to: &writer)
        }
      }
      writer.member("fires", didFire)
      writer.member("decision", decision.kind.rawValue)
      writer.member("distance", decision.distanceMeters?.decimeters)
    }
  }
}
