import CivilTime
import Encodings
import KeptPlaces
import PhotoLibrary
import Spatial
import SpotMap
import Storage
import Towns

extension Service {
  // MARK: - Status

  /// Answers with `version photos spots box densest years updated staleRoots outages
  /// proximityRadius tiles features`.
  func status(_ call: Call) throws(Problem) -> ServiceResponse {
    let library = try sources.library()
    let mapped = library.spots(passing: SpotFilter())
    let settings = try sources.settings()
    let value = { (name: String) in settings.first { $0.name == name }?.value }
    let years = library.yearCounts
    return ServiceResponse { writer in
      writer.object { writer in
        writer.member("version", configuration.version)
        writer.member("photos", mapped.photoCount)
        writer.member("spots", mapped.count)
        writer.key("box")
        if let box = mapped.box { box.write(to: &writer) } else { writer.null() }
        writer.key("densest")
        if let box = library.densestBox { box.write(to: &writer) } else { writer.null() }
        writer.object("years") { writer in
          for (year, count) in years { writer.member("\(year)", count) }
        }
        writer.key("updated")
        if let updated = library.index.updated {
          writer.string(updated.iso8601)
        } else {
          writer.null()
        }
        writer.array("staleRoots") { writer in
          for root in library.index.roots where root.isStale {
            writer.string(name: root.path.shown)
          }
        }
        writer.array("outages") { writer in
          for name in sources.generations().outages { writer.string(name) }
        }
        writer.member("proximityRadius", value("proximityRadius").flatMap(Self.meters) ?? 100)
        writer.key("tiles")
        // Tiles from any source are served by this program.
        if let tiles = value("mapTiles"), tiles != "off" {
          writer.string("/tiles/{z}/{x}/{y}")
        } else {
          writer.null()
        }
        writer.array("features") { writer in
          for feature in configuration.features { writer.string(feature) }
        }
      }
    }
  }

  /// Returns the number of metres in the text of a setting, `100 m`.
  static func meters(_ text: String) -> Double? {
    Parameters.number(text.prefix { $0 != " " && $0 != "m" })
  }

  // MARK: - The map

  /// Answers with `{zoom, photos, spots, items}`; photos and spots are counted within the box.
  func clusters(_ call: Call) throws(Problem) -> ServiceResponse {
    let filter = try call.parameters.filter()
    let box = try call.parameters.required("box") { name throws(Problem) in
      try call.parameters.box(name)
    }
    let zoom = try zoom(call.parameters)
    let library = try sources.library()
    let level = library.level(zoom, filter)
    let answer = try spotAnswer(library, filter, call.now)
    let counts = answer.mapped.counts(in: box)
    return ServiceResponse { writer in
      writer.object { writer in
        writer.member("zoom", level.zoom)
        writer.member("photos", counts.photos)
        writer.member("spots", counts.spots)
        writer.array("items") { writer in
          for cluster in level.clusters(in: box) { answer.write(cluster, to: &writer) }
        }
      }
    }
  }

  private func zoom(_ parameters: Parameters) throws(Problem) -> Double {
    try parameters.required("zoom") { name throws(Problem) in
      try parameters.number(name, in: 0...24)
    }
  }

  func spotAnswer(
    _ library: ServedLibrary, _ filter: SpotFilter, _ now: Instant
  ) throws(Problem) -> SpotAnswer {
    SpotAnswer(
      library: library, mapped: library.spots(passing: filter), mutes: try muteAnswer(now),
      recreated: try sources.recreatedSpots(), places: try readablePlaces())
  }

  /// Returns the places of the user's own; none if they cannot be read, since spots can be served
  /// without them.
  func readablePlaces() throws(Problem) -> ServedPlaces {
    do throws(Problem) { return try sources.places() } catch {
      return ServedPlaces(
        PlaceDocument(), spots: try sources.library().spots, clusterRadius: 15)
    }
  }

  /// Returns the mutes in effect. Their radius is the cluster radius, so that a mute applies to a
  /// place rather than to an id.
  func muteAnswer(_ now: Instant) throws(Problem) -> MuteAnswer {
    let radius = try sources.settings().first { $0.name == "clusterRadius" }?.value
    return MuteAnswer(
      try sources.mutes(), now: now, radiusMeters: radius.flatMap(Self.meters) ?? 15)
  }

  // MARK: - Spots

  /// Answers with the spots in a box, near a position, or all; with a zoom, those of the pins in a
  /// box.
  func spots(_ call: Call) throws(Problem) -> ServiceResponse {
    let parameters = call.parameters
    let filter = try parameters.filter()
    let page = try parameters.page()
    let library = try sources.library()
    let answer = try spotAnswer(library, filter, call.now)
    let radius = try parameters.number("radius", in: 0...20_037_508)
    if let center = try parameters.coordinate("near") {
      for name in ["box", "zoom"] where parameters.has(name) {
        throw Parameters.bad(name, "cannot be given together with 'near'")
      }
      let found = answer.nearest(page.first + page.limit, orPinsTo: center, within: radius)
      let shown = Array(page.elements(of: found.neighbors))
      let distinctions = answer.distinctions(shown.map(\.index))
      return list(call, page, shown, total: found.total) { neighbor, writer in
        answer.write(
          neighbor.index, approach: answer.approach(from: center, to: neighbor),
          distinction: distinctions[neighbor.index], to: &writer)
      }
    }
    guard radius == nil else { throw Parameters.bad("radius", "needs 'near'") }
    var places = answer.mapped.allPlaces
    if let box = try parameters.box("box") {
      places =
        parameters.has("zoom")
        ? library.level(try zoom(parameters), filter).places(ofPinsIn: box)
        : answer.mapped.places(in: box)
    } else if parameters.has("zoom") {
      throw Parameters.bad("zoom", "needs 'box'")
    }
    let listed = answer.mapped.listed(places)
    let shown = Array(page.elements(of: listed))
    let distinctions = answer.distinctions(shown)
    return list(call, page, shown, total: listed.count) { place, writer in
      answer.write(place, distinction: distinctions[place], to: &writer)
    }
  }

  /// Answers with a spot and its photos.
  func spot(_ call: Call) throws(Problem) -> ServiceResponse {
    let filter = try call.parameters.filter()
    let library = try sources.library()
    let answer = try spotAnswer(library, filter, call.now)
    let place = try place(ofSpot: call.variable, library)
    return ServiceResponse { writer in
      answer.write(place, hasPhotos: true, to: &writer)
    }
  }

  /// Returns the index of a spot.
  func place(ofSpot id: String, _ library: ServedLibrary) throws(Problem) -> Int {
    guard let place = library.spots.place(ofID: id) else {
      throw Problem(.noSuchSpot, "The index has no spot with this id.")
    }
    return place
  }

  // MARK: - Towns

  /// Answers with towns in a box, or with names that begin with a text.
  func towns(_ call: Call) throws(Problem) -> ServiceResponse {
    let box = try call.parameters.box("box")
    let query = call.parameters.text("query")
    if box != nil, query != nil {
      throw Parameters.bad("query", "cannot be given together with 'box'")
    }
    let world = Gazetteer.world
    let found: [Int]
    if let box {
      found = world.towns(in: box)
    } else if let query {
      guard query.utf8.count <= 200 else { throw Parameters.bad("query", "is too long") }
      found = world.matches(query).map(\.town)
    } else {
      throw Parameters.bad("box", "or 'query' is missing")
    }
    return try list(call, found) { number, writer in
      let town = world[number]
      writer.object { writer in
        writer.member("name", town.name)
        writer.member("country", town.country)
        writer.member("countryCode", town.countryCode)
        writer.member("latitude", degrees: town.coordinate.latitude)
        writer.member("longitude", degrees: town.coordinate.longitude)
        writer.member("population", town.population)
      }
    }
  }
}

extension SpotAnswer {
  /// Writes a pin with the members `latitude longitude photos spots cover box place title`; for a
  /// single spot also `spot` and, if known, `heading`.
  func write(_ cluster: ClusterLevel.Cluster, to writer: inout JSONWriter) {
    let spot = library.spots.spots[cluster.place]
    writer.object { writer in
      writer.member("latitude", degrees: cluster.coordinate.latitude)
      writer.member("longitude", degrees: cluster.coordinate.longitude)
      writer.member("photos", cluster.photoCount)
      writer.member("spots", cluster.spotCount)
      writer.member("cover", library.coverName(ofPlace: cluster.place, in: mapped))
      writer.key("box")
      cluster.box.write(to: &writer)
      PlaceAnswer.write(
        spot, of: places.place(pinnedToSpotAt: cluster.place), to: &writer)
      guard cluster.spotCount == 1 else { return }
      writer.member("spot", spot.id)
      writer.member("heading", heading(of: mapped.photos(ofPlace: cluster.place)))
    }
  }
}

extension BoundingBox {
  /// Writes `[south, west, north, east]`, rounded outwards so that the written box contains the
  /// original.
  func write(to writer: inout JSONWriter) {
    writer.array { writer in
      writer.number(degrees: max(-Self.roundedUp(-south), -90))
      writer.number(degrees: max(-Self.roundedUp(-west), -180))
      writer.number(degrees: min(Self.roundedUp(north), 90))
      writer.number(degrees: min(Self.roundedUp(east), 180))
    }
  }

  /// Returns the least number with seven decimals, as degrees are written, that is not smaller.
  private static func roundedUp(_ degrees: Double) -> Double {
    let nearest = (degrees * 1e7).rounded() / 1e7
    return nearest >= degrees ? nearest : (degrees * 1e7).rounded(.up) / 1e7
  }
}
