import CivilTime
import Encodings
import LocationFeeds
import PhotoLibrary
import Spatial
import SpotAlerts
import SpotMap

/// The answer for a widget, a watch or a voice assistant: the nearest spot, this week in other
/// years, and the last alert.
extension Service {
  /// The maximum number of spots of this week.
  private static let weekCount = 3

  /// Answers with the known members of `text time position nearest week alert`.
  func glance(_ call: Call) throws(Problem) -> ServiceResponse {
    let glance = try Glance(self, call)
    var response = ServiceResponse { writer in
      writer.object { writer in
        writer.member("text", glance.text)
        writer.member("time", call.now.iso8601)
        if let position = glance.position {
          writer.object("position") { writer in
            writer.member("latitude", degrees: position.coordinate.latitude)
            writer.member("longitude", degrees: position.coordinate.longitude)
            writer.member("device", position.device)
            writer.member("time", position.time?.iso8601)
          }
        }
        if let nearest = glance.nearest {
          writer.key("nearest")
          glance.write(nearest, to: &writer)
        }
        writer.array("week") { writer in
          for spot in glance.week { glance.write(spot, to: &writer) }
        }
        if let alert = glance.alert {
          writer.object("alert") { writer in
            writer.member("time", alert.time.iso8601)
            writer.member("spot", alert.spotID)
            writer.member(
              "text", alert.notification?.text(in: glance.language, units: glance.units))
          }
        }
      }
    }
    response.forbidStoring()
    return response
  }

  /// Answers with a small page of the nearest spot, or of this week.
  func glancePage(_ call: Call) throws(Problem) -> ServiceResponse {
    let glance = try Glance(self, call)
    let spot = glance.nearest ?? glance.week.first
    return .page(
      glance.language, spot.map(glance.title), XMLText.escaped(glance.text),
      image: spot.flatMap(glance.picture).map { "..\($0.dropFirst("/api/v1".count))" },
      refreshSeconds: 300)
  }

  /// The units of lengths in texts.
  fileprivate func units() throws(Problem) -> LengthUnits {
    let setting = try sources.settings().first { $0.name == "units" }
    return setting?.value.flatMap { LengthUnits(rawValue: $0) } ?? .metric
  }

  /// The facts of a glance.
  private struct Glance {
    struct Position {
      let coordinate: Coordinate
      var device: String?
      var time: Instant?
    }

    struct Spot {
      let place: Int
      var approach: SpotAnswer.Approach?
    }

    let language: AlertLanguage
    let units: LengthUnits
    let position: Position?
    let nearest: Spot?
    let week: [Spot]
    let alert: HistoryEntry?
    private let all: SpotAnswer
    private let ofWeek: SpotAnswer

    init(_ service: Service, _ call: Call) throws(Problem) {
      language = call.request.language ?? service.language
      units = try service.units()
      let device = service.phone(of: call.request)?.name
      if let center = try call.parameters.coordinate("near") {
        position = Position(coordinate: center)
      } else {
        let fixes = try service.sources.devices()
        let fix = fixes.first { $0.device == device && $0.coordinate != nil }
        let latest = fix ?? fixes.first { $0.coordinate != nil }
        position = latest.flatMap { fix in
          fix.coordinate.map { Position(coordinate: $0, device: fix.device, time: fix.time) }
        }
      }
      let library = try service.sources.library()
      all = try service.spotAnswer(library, SpotFilter(), call.now)
      if let center = position?.coordinate {
        nearest = all.nearest(1, orPinsTo: center, within: nil).neighbors.first
          .map { [all] in Spot(place: $0.index, approach: all.approach(from: center, to: $0)) }
      } else {
        nearest = nil
      }
      let today = CivilDateTime(nearestTo: call.now, utcOffsetMinutes: 0)
      var filter = SpotFilter()
      filter.around = SpotFilter.YearDay(month: today.month, day: today.day)
      filter.lastYear = today.year - 1
      ofWeek = try service.spotAnswer(library, filter, call.now)
      week = ofWeek.mapped.listed(ofWeek.mapped.allPlaces).prefix(Service.weekCount)
        .map { Spot(place: $0) }
      alert = try service.sources.history().last { entry in
        entry.kind == .notified && (device == nil || entry.device == device)
      }
    }

    private func answer(_ spot: Spot) -> SpotAnswer { spot.approach == nil ? ofWeek : all }

    /// The usual name of a spot.
    func title(_ spot: Spot) -> String {
      PlaceAnswer.title(
        of: all.library.spots.spots[spot.place], all.places.place(pinnedToSpotAt: spot.place))
    }

    /// The path of the picture of a spot; `nil` where there is none.
    func picture(_ spot: Spot) -> String? {
      answer(spot).library.coverName(ofPlace: spot.place, in: answer(spot).mapped)
        .map { "\(ServiceRoute.base)photos/\($0)/picture?size=512" }
    }

    /// A sentence about a spot.
    func text(_ spot: Spot) -> String {
      let answer = answer(spot)
      let years = answer.mapped.photos(ofPlace: spot.place)
        .compactMap { answer.library.photos?.captured(of: $0)?.year }.sorted()
      return language.sentence(
        about: title(spot), away: spot.approach.map { ($0.distanceMeters, $0.bearingDegrees) },
        photoCount: answer.mapped.photoCount(ofPlace: spot.place), first: years.first,
        last: years.last, in: units)
    }

    /// The sentence of the nearest spot, else of a spot of this week, else that no position is
    /// known or no spot is near it.
    var text: String {
      (nearest ?? week.first).map(text)
        ?? (position == nil ? language.noPosition : "\(language.spotsNear(0)).")
    }

    /// Writes a spot with `text` and `picture`.
    func write(_ spot: Spot, to writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("text", text(spot))
        writer.member("picture", picture(spot))
        writer.key("spot")
        answer(spot).write(spot.place, approach: spot.approach, to: &writer)
      }
    }
  }
}
