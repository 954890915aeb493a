import CivilTime
import Encodings
public import KeptPlaces
import PhotoLibrary
import Spatial
import SystemPackage

extension Service {
  // MARK: - Reading

  /// Answers with places, ordered by name or by distance.
  func places(_ call: Call) throws(Problem) -> ServiceResponse {
    let parameters = call.parameters
    let page = try parameters.page()
    let places = try sources.places()
    let isWanted = try placeFilter(parameters)
    let (box, center) = (try parameters.box("box"), try parameters.coordinate("near"))
    let radius = try parameters.number("radius", in: 0...20_037_508)
    if center != nil, box != nil {
      throw Parameters.bad("box", "cannot be given together with 'near'")
    }
    guard radius == nil || center != nil else { throw Parameters.bad("radius", "needs 'near'") }
    if try parameters.flag("removed") {
      let removed = places.document.removedPlaces(now: call.now).filter { place in
        isWanted(place) && box?.contains(place.coordinate) ?? true
      }
      return try answer(call, page, Self.found(removed, near: center, within: radius))
    }
    guard let center else {
      let ranks = places.ranks
      let found = (box.map { places.centers.indices(in: $0) } ?? Array(places.all.indices))
        .filter { isWanted(places.all[$0]) }.sorted { ranks[$0] < ranks[$1] }
      return try answer(
        call, page, page.elements(of: found).map { Found(place: places.all[$0]) },
        total: found.count)
    }
    let found = places.centers.neighbors(within: radius ?? Self.greatestMeters, of: center)
      .filter { isWanted(places.all[$0.index]) }
    return try answer(
      call, page,
      page.elements(of: found).map { neighbor in
        Found(places.all[neighbor.index], neighbor.distanceMeters, from: center)
      }, total: found.count)
  }

  /// A distance greater than any on Earth, which includes everything.
  static var greatestMeters: Double { 1e8 }

  /// A place in a list.
  private struct Found {
    let place: KeptPlace
    var approach: SpotAnswer.Approach?

    init(place: KeptPlace) { self.place = place }

    init(_ place: KeptPlace, _ meters: Double, from center: Coordinate) {
      self.place = place
      approach = .init(
        distanceMeters: meters, bearingDegrees: center.bearing(to: place.coordinate))
    }
  }

  /// Orders places by name, or by distance if there is a centre.
  private static func found(
    _ places: [KeptPlace], near center: Coordinate?, within radius: Double?
  ) -> [Found] {
    guard let center else {
      let named = places.map { (name: $0.title.lowercased(), place: $0) }
      let sorted = named.sorted { left, right in
        left.name != right.name ? left.name < right.name : left.place.id < right.place.id
      }
      return sorted.map { Found(place: $0.place) }
    }
    let index = SpatialIndex(places.map(\.coordinate))
    return index.neighbors(within: radius ?? greatestMeters, of: center).map {
      Found(places[$0.index], $0.distanceMeters, from: center)
    }
  }

  private func answer(
    _ call: Call, _ page: ListPage, _ found: [Found], total: Int? = nil
  ) throws(Problem) -> ServiceResponse {
    let answer = OwnPlaceAnswer(library: try sources.library(), places: try sources.places())
    let elements = total == nil ? Array(page.elements(of: found)) : found
    return list(call, page, elements, total: total ?? found.count) { found, writer in
      answer.write(found.place, approach: found.approach, isListed: true, to: &writer)
    }
  }

  /// Returns a filter for the parameters `collection` and `query`.
  private func placeFilter(
    _ parameters: Parameters
  ) throws(Problem) -> (KeptPlace) -> Bool {
    let collection = parameters.text("collection")
    let query = parameters.text("query")?.lowercased()
    for (name, text) in [("collection", collection), ("query", query)] {
      guard text?.unicodeScalars.count ?? 0 <= 200 else {
        throw Parameters.bad(name, "is too long")
      }
    }
    return { place in
      if let collection, !place.collections.contains(collection) { return false }
      guard let query else { return true }
      return place.title.lowercased().contains(query) || place.kind.lowercased().contains(query)
        || place.collections.contains { $0.lowercased().contains(query) }
        || place.notes.contains { $0.text.lowercased().contains(query) }
    }
  }

  /// Answers with a place and all its notes and photos.
  func place(_ call: Call) throws(Problem) -> ServiceResponse {
    try response(of: try keptPlace(call))
  }

  /// Answers with the names of collections, and the number of places in each.
  func collections(_ call: Call) throws(Problem) -> ServiceResponse {
    try list(call, try sources.places().document.collections) { collection, writer in
      writer.object { writer in
        writer.member("name", collection.name)
        writer.member("count", collection.count)
      }
    }
  }

  private func response(of place: KeptPlace, status: Int = 200) throws(Problem) -> ServiceResponse {
    let answer = OwnPlaceAnswer(library: try sources.library(), places: try sources.places())
    return ServiceResponse(status: status) { answer.write(place, isListed: false, to: &$0) }
  }

  /// Returns the strong entity tag of a place.
  func tag(of place: KeptPlace) throws(Problem) -> String {
    Self.strongTag(of: try response(of: place).body)
  }

  /// Returns the place named by the path.
  func keptPlace(_ call: Call) throws(Problem) -> KeptPlace {
    guard
      let place = PlaceID(call.variable).flatMap({ id in (try? sources.places())?.document[id] })
    else {
      // If the places cannot be read, that problem is thrown instead.
      _ = try sources.places()
      throw Problem(.notFound, "There is no place with this id, or it was removed.")
    }
    return place
  }

  // MARK: - Changes

  /// Returns the work for adding a place: `{latitude, longitude, name?, kind?, radius?,
  /// collections?, note?, photos?, spot?}`.
  func addPlace(_ call: Call) throws(Problem) -> ServiceWork {
    let body = try PlaceBody(call.request.body, PlaceBody.ofPlace)
    let library = try sources.library()
    let spot = try body.spotID.flatMap(\.self).map { id throws(Problem) in
      library.spots.spots[try place(ofSpot: id, library)]
    }
    guard let coordinate = try body.coordinate() ?? spot?.coordinate else {
      throw Parameters.bad("latitude", "and 'longitude' are missing")
    }
    var fields = PlaceFields(coordinate: coordinate)
    fields.name = body.givenName ?? spot?.title ?? PlaceName.title(of: coordinate)
    if let kind = body.kind { fields.kind = kind }
    fields.alertRadiusMeters = body.radiusMeters.flatMap(\.self)
    fields.spotID = spot?.id
    fields.collections = body.collections ?? []
    if let note = body.note { fields.notes = [PlaceNote(text: note, time: call.now)] }
    fields.photos = try (body.photos ?? []).map { name throws(Problem) in
      library.index.shot(at: Int(try photo(named: name, library))).photo.path
    }
    return try checked(.add(fields), call)
  }

  /// Returns the work for changing a place: any of `{name, kind, latitude, longitude, radius,
  /// collections, photos, spot}`.
  func changePlace(_ call: Call) throws(Problem) -> ServiceWork {
    let place = try keptPlace(call)
    let body = try PlaceBody(call.request.body, PlaceBody.ofChange)
    let library = try sources.library()
    var change = PlaceChange()
    change.coordinate = try body.coordinate()
    (change.name, change.kind) = (body.name, body.kind)
    (change.radiusMeters, change.collections) = (body.radiusMeters, body.collections)
    if let spotID = body.spotID {
      if let spotID { _ = try self.place(ofSpot: spotID, library) }
      change.spotID = .some(spotID)
    }
    if body.name != nil, body.givenName == nil {
      // As for a new place: the name of the spot, or of the town.
      let pinned = try sources.places().spotID(of: place)
      let spot = (body.spotID ?? pinned).flatMap { library.spots.spot(withID: $0) }
      change.name = spot?.title ?? PlaceName.title(of: change.coordinate ?? place.coordinate)
    }
    if let names = body.photos {
      change.photos = try photos(names, of: place, library)
    }
    return try checked(.change(place.id, change), call)
  }

  /// Returns the files to detach and attach so that a place has the given photos of the index.
  /// Files that are not in the index remain attached.
  private func photos(
    _ names: [String], of place: KeptPlace, _ library: ServedLibrary
  ) throws(Problem) -> (removed: [FilePath], added: [FilePath]) {
    var wanted: Set<Int32> = []
    for name in names { wanted.insert(try photo(named: name, library)) }
    var removed: [FilePath] = []
    for file in place.photos {
      guard let shot = library.photo(ofFileAt: file) else { continue }
      // For a shot that remains, all its attached files remain.
      if !names.isEmpty, wanted.contains(shot) { continue }
      removed.append(file)
    }
    let kept = Set(place.photos.compactMap { library.photo(ofFileAt: $0) })
    let added = wanted.subtracting(kept).sorted()
      .map { library.index.shot(at: Int($0)).photo.path }
    return (removed, added)
  }

  /// Returns the work for removing a place.
  func removePlace(_ call: Call) throws(Problem) -> ServiceWork {
    .places(PlaceWork(change: .remove(try keptPlace(call).id)))
  }

  /// Returns the work for restoring a removed place.
  func restorePlace(_ call: Call) throws(Problem) -> ServiceWork {
    let places = try sources.places()
    guard let id = PlaceID(call.variable),
      places.document.removedPlace(id, now: call.now) != nil
    else {
      throw Problem(
        .notFound, "There is no removed place with this id; removed places are kept for 30 days.")
    }
    return .places(PlaceWork(change: .restore(id)))
  }

  /// Returns the work for adding a note: `{text, time?}`.
  func addNote(_ call: Call) throws(Problem) -> ServiceWork {
    let place = try keptPlace(call)
    let body = try PlaceBody(call.request.body, PlaceBody.ofNote)
    let text = try text(of: body)
    return try checked(
      .addNote(place.id, PlaceNote(text: text, time: body.time ?? call.now)), call)
  }

  /// Returns the work for changing the text of a note: `{text}`.
  func changeNote(_ call: Call) throws(Problem) -> ServiceWork {
    let (place, noteID) = try note(call)
    let text = try text(of: try PlaceBody(call.request.body, PlaceBody.ofNoteChange))
    return try checked(.changeNote(place, noteID: noteID, text: text), call)
  }

  /// Returns the work for removing a note.
  func removeNote(_ call: Call) throws(Problem) -> ServiceWork {
    let (place, noteID) = try note(call)
    return .places(PlaceWork(change: .removeNote(place, noteID: noteID)))
  }

  private func text(of body: PlaceBody) throws(Problem) -> String {
    guard let text = body.text else { throw Parameters.bad("text", "is missing") }
    return text
  }

  private func note(_ call: Call) throws(Problem) -> (place: PlaceID, noteID: String) {
    let place = try keptPlace(call)
    guard call.variables.count > 1, place.notes.contains(where: { $0.id == call.variables[1] })
    else { throw Problem(.notFound, "The place has no note with this id.") }
    return (place.id, call.variables[1])
  }

  /// Returns the work for a change after trying it on a copy, so that invalid values are reported
  /// at once.
  private func checked(
    _ change: PlaceWork.Change, _ call: Call
  ) throws(Problem) -> ServiceWork {
    let work = PlaceWork(change: change)
    var copy = try sources.places().document
    do throws(PlaceError) { _ = try work.apply(to: &copy, now: call.now) } catch {
      throw Problem(error)
    }
    return .places(work)
  }

  // MARK: - Responses to changes

  /// Creates the response to a change of places.
  ///
  /// - Parameters:
  ///   - work: The change.
  ///   - id: The id of the changed place.
  /// - Returns: The place after the change; no content for a removed one.
  /// - Throws: A problem where the places or the index cannot be read.
  public func changed(_ work: PlaceWork, of id: PlaceID) throws(Problem) -> ServiceResponse {
    if case .remove = work.change { return .noContent }
    guard let place = try sources.places().document[id] else {
      throw Problem(.notFound, "The place was removed meanwhile.")
    }
    var response =
      switch work.change {
      case .add, .addNote: try response(of: place, status: 201)
      case .change, .remove, .restore, .changeNote, .removeNote: try response(of: place)
      }
    if case .add = work.change {
      response.fields.append(("Location", "\(ServiceRoute.base)places/\(id)"))
    }
    response.fields.append(("ETag", Self.strongTag(of: response.body)))
    return response
  }
}
