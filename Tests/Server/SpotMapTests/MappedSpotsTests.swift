import PhotoLibrary
import Spatial
import SystemPackage
import TestSupport
import Testing

@testable import SpotMap

@Suite struct MappedSpotsTests {
  private static let photos = [
    TestPhoto("/p/Siena/a.jpg", 43.3180, 11.3310, "2008-05-01T10:00:00+02:00"),
    TestPhoto("/p/Siena/b.jpg", 43.31801, 11.3310, "2015-12-31T23:30:00-05:00", isFavorite: true),
    TestPhoto("/p/DCIM/c.jpg", 43.31802, 11.3310, "2024-01-03T10:00:00Z"),
    TestPhoto("/p/DCIM/d.jpg", 43.4665, 11.8823, "2008-02-29T10:00:00Z", isFavorite: true),
    TestPhoto("/p/DCIM/e.jpg", -20, -150, nil),
  ]
  private let index = PhotoIndex(made: photos)

  private func mapped(_ change: (inout SpotFilter) -> Void) -> MappedSpots {
    var filter = SpotFilter()
    change(&filter)
    return MappedSpots(SpotIndex(index, clusterRadius: 15), filter: filter)
  }

  private func names(_ spots: MappedSpots) -> Set<String> {
    Set(
      spots.allPlaces.flatMap { spots.photos(ofPlace: $0) }
        .compactMap { index.photo(at: Int($0)).path.lastComponent?.string })
  }

  @Test func `without a filter all photos are included`() {
    let spots = mapped { _ in }
    #expect((spots.count, spots.photoCount) == (3, 5))
    #expect(names(spots) == ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"])
  }

  @Test func `years follow the camera's local time, and both bounds are inclusive`() {
    #expect(names(mapped { $0.firstYear = 2015 }) == ["b.jpg", "c.jpg"])
    #expect(names(mapped { ($0.firstYear, $0.lastYear) = (2015, 2015) }) == ["b.jpg"])
    #expect(names(mapped { $0.lastYear = 2008 }) == ["a.jpg", "d.jpg"])
    #expect(names(mapped { ($0.firstYear, $0.lastYear) = (2016, 2015) }).isEmpty)
    #expect(names(mapped { $0.firstYear = 9999 }).isEmpty)
  }

  @Test func `filters by favourites, album and day of the year`() {
    #expect(names(mapped { $0.isFavoritesOnly = true }) == ["b.jpg", "d.jpg"])
    #expect(names(mapped { $0.album = "Siena" }) == ["a.jpg", "b.jpg"])
    #expect(names(mapped { $0.album = "siena" }).isEmpty)
    #expect(names(mapped { $0.around = .init(month: 12, day: 31) }) == ["b.jpg", "c.jpg"])
    #expect(names(mapped { $0.around = .init(month: 1, day: 10) }) == [])
    #expect(names(mapped { $0.around = .init(month: 1, day: 9) }) == ["c.jpg"])
    #expect(names(mapped { $0.around = .init(month: 3, day: 1) }) == ["d.jpg"])
    #expect(names(mapped { $0.around = .init(month: 4, day: 25) }) == ["a.jpg"])
    #expect(
      names(mapped { ($0.around, $0.firstYear) = (.init(month: 12, day: 31), 2020) }) == ["c.jpg"])
    #expect(SpotFilter.YearDay(month: 2, day: 30) == nil)
  }

  @Test func `counts, spots and covers include only matching photos`() {
    let spots = mapped { $0.album = "Siena" }
    #expect((spots.count, spots.photoCount) == (1, 2))
    let place = spots.allPlaces[0]
    #expect(spots.photoCount(ofPlace: place) == 2)
    #expect(spots.contains(place: place))
    let cover = spots.cover(ofPlace: place).map { index.photo(at: Int($0)).path.lastComponent }
    #expect(cover == "b.jpg")
    let other = mapped { $0.firstYear = 2024 }
    let latest = other.cover(ofPlace: place).map { index.photo(at: Int($0)).path.lastComponent }
    #expect(latest == "c.jpg")
    let level = ClusterLevel(other, zoom: 5)
    #expect(level.clusters(in: .world).map(\.photoCount) == [1])
    let elsewhere = (0..<3).first { !spots.contains(place: $0) }!
    #expect(spots.photoCount(ofPlace: elsewhere) == 0 && spots.photos(ofPlace: elsewhere).isEmpty)
  }

  @Test func `a filtered cluster level has the matching spots, numbered as in the index`() {
    let spots = mapped { _ in }
    var filter = SpotFilter()
    filter.lastYear = 2008
    let old = spots.passing(filter)
    #expect(old.filter == filter)
    #expect(old.allPlaces == mapped { $0.lastYear = 2008 }.allPlaces)
    #expect((old.count, old.photoCount) == (2, 2))
    #expect(old.counts(in: .world) == (2, 2))
    #expect(old.places(in: .world) == old.allPlaces)
    let level = ClusterLevel(old, zoom: 3)
    #expect(level.clusters(in: .world).map(\.spotCount) == [2])
    #expect(level.places(ofPinsIn: .world) == old.allPlaces)
    #expect(level.clusters(in: .world).first?.box == old.box)
    let apart = ClusterLevel(old, zoom: 18)
    #expect(apart.clusters(in: .world).map(\.place) == old.allPlaces)
    #expect(apart.clusters(in: .world).allSatisfy { $0.photoCount == 1 && $0.spotCount == 1 })
    #expect(
      apart.clusters(in: .world).map(\.coordinate)
        == old.allPlaces.map { spots.index.spots[$0].coordinate })
  }

  @Test func `indexed spots and listed spots give the same levels`() throws {
    let spots = mapped { _ in }
    let listed = MappedSpots(SpotIndex(spots: Array(spots.index.spots)))
    for zoom in [0.0, 6, 12, 20] {
      let (one, other) = (ClusterLevel(spots, zoom: zoom), ClusterLevel(listed, zoom: zoom))
      #expect(one.clusters(in: .world).map(\.place) == other.clusters(in: .world).map(\.place))
      #expect(one.clusters(in: .world).map(\.box) == other.clusters(in: .world).map(\.box))
      #expect(
        one.clusters(in: .world).map(\.photoCount) == other.clusters(in: .world).map(\.photoCount))
    }
    #expect(spots.counts(in: .world) == listed.counts(in: .world))
  }
}
