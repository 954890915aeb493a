import CivilTime
import PhotoLibrary
import Spatial
import Testing

@Suite struct SpotPastTests {
  @Test func `each spot lists its days once`() throws {
    let place = Coordinate(latitude: 48.8584, longitude: 2.2945)!
    let elsewhere = Coordinate(latitude: 40, longitude: -3)!
    func row(_ name: String, _ time: String?, at coordinate: Coordinate) -> PhotoRow {
      PhotoRow(
        name: name, coordinate: coordinate, captured: time.map { Instant(iso8601: $0)! },
        rating: nil)
    }
    let index = try index(of: [
      row("a.jpg", "2016-05-01T10:00:00Z", at: place),
      row("b.jpg", "2016-05-01T11:00:00Z", at: place),
      row("c.jpg", "2020-01-01T11:00:00Z", at: place), row("d.jpg", nil, at: place),
      row("e.jpg", nil, at: elsewhere),
    ])
    let spots = index.spots(clusterRadius: 15)
    let pasts = SpotPasts(of: SpotIndex(index, clusterRadius: 15))
    let days = ["2016-05-01", "2020-01-01"].map {
      CivilDay(Instant(iso8601: "\($0)T00:00:00Z")!)
    }
    #expect(spots.map { pasts[$0.id]?.days } == [days, []])
    #expect(pasts["none"] == nil)
  }
}
