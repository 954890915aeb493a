import CivilTime
import Interchange
import PhotoLibrary
import Spatial
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import KeptPlaces

@Suite struct PlaceStoreTests {
  private let temporary = TemporaryFolder()
  private let now = Instant(secondsSince1970: 1_795_176_000)

  private func store(_ notice: @escaping @Sendable (PlaceStoreNotice) -> Void = { _ in })
    -> PlaceStore
  {
    PlaceStore(stateFolder: temporary.path("state"), notice: notice)
  }

  private var fields: PlaceFields {
    get throws {
      let coordinate = try #require(Coordinate(latitude: 48.8584, longitude: 2.2945))
      return PlaceFields(
        coordinate: coordinate, name: "Tower", kind: "viewpoint", alertRadiusMeters: 250,
        spotID: "47xjsbmtz9sp", notes: [PlaceNote(text: "At dusk.\nEast side", time: now)],
        photos: ["/photos/a.jpg"], collections: ["Paris", "Été"])
    }
  }

  @Test func `places are read as they were kept, by another store too`() throws {
    let fields = try fields
    let place = try store().update(now: now) { document throws(PlaceError) in
      try document.add(fields, now: now)
    }
    let document = try store().load()
    #expect(document.places == [place] && document.count == 1)
    let read = try #require(document[place.id])
    #expect(read.fields.name == "Tower" && read.fields.kind == "viewpoint")
    #expect(read.coordinate == fields.coordinate && read.alertRadiusMeters == 250)
    #expect(read.spotID == "47xjsbmtz9sp" && read.notes == fields.notes)
    #expect(read.photos == ["/photos/a.jpg"] && read.collections == ["Paris", "Été"])
    #expect(read.createdTime == now && read.changedTime == now && read.removedTime == nil)
  }
}
