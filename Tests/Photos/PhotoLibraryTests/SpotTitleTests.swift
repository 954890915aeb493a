import Spatial
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct SpotTitleTests {
  private func spot(_ row: ShotRow) throws -> PhotoSpot {
    try #require(SpotIndex(PhotoIndex([row]), clusterRadius: 15).spots.first)
  }

  @Test func `a spot's title is its album, else its town, else its position`() throws {
    #expect(try spot(ShotRow("2019 Tower/a.jpg")).title == "Tower")
    #expect(try spot(ShotRow("DCIM/a.jpg")).title == "Paris")
    #expect(try spot(ShotRow("DCIM/a.jpg")).placeName == "Paris")
    var sea = ShotRow("DCIM/a.jpg")
    sea.coordinate = Coordinate(latitude: -30, longitude: -130.5)
    #expect(try spot(sea).placeName == nil && spot(sea).town == nil)
    #expect(try spot(sea).title == "30.00000° S, 130.50000° W")
  }

  @Test func `an alert uses the same place name`() throws {
    let spots = SpotIndex(PhotoIndex([ShotRow("DCIM/a.jpg")]), clusterRadius: 15)
    let id = try #require(spots.spots.first?.id)
    #expect(SpotPasts(of: spots)[id]?.place == "Paris")
  }

  @Test func `a place without photos is titled by its town, else by its position`() {
    let paris = Coordinate(latitude: 48.8584, longitude: 2.2945)!
    #expect(PlaceName.title(of: paris) == "Paris")
    #expect(PlaceName.text(of: paris) == "48.85840° N, 2.29450° E")
    let pole = Coordinate(latitude: 90, longitude: 0)!
    #expect(PlaceName.title(of: pole) == "90.00000° N, 0.00000° E")
  }

  @Test func `a photo's name is unique and does not depend on other files`() throws {
    let rows = (0..<200).map { ShotRow("a\($0 % 3)/\($0).jpg", size: Int64($0)).later(Double($0)) }
    let index = PhotoIndex(rows)
    let names = PhotoNames(of: index)
    var seen: Set<String> = []
    for photo in 0..<Int32(200) {
      let name = PhotoNames.name(of: photo, index)
      #expect(name.utf8.count == 16 && seen.insert(name).inserted)
      #expect(names.photo(named: name) == photo)
    }
    #expect(names.photo(named: "aaaaaaaaaaaaaaaa") == nil)
    #expect(names.photo(named: "") == nil && names.photo(named: "A") == nil)
    let fewer = PhotoIndex(Array(rows.dropFirst(50)))
    let kept = Set((0..<Int32(150)).map { PhotoNames.name(of: $0, fewer) })
    #expect(kept.isSubset(of: seen))
  }
}
