import CLibrary
import Spatial
import TestSupport
import Testing

@Suite struct CoordinateTests {
  @Test func `rejects coordinates off the globe`() {
    #expect(Coordinate(latitude: 90, longitude: -180) != nil)
    #expect(Coordinate(latitude: 90.0000001, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: 180.0000001) == nil)
    #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
  }
}

@Suite struct GeodesyTests {
  private func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)!
  }

  @Test func `distances are those on the mean sphere`() {
    let degree = Earth.meanRadiusMeters * Double.pi / 180
    #expect(abs(coordinate(0, 0).distance(to: coordinate(1, 0)) - degree) < 1e-6)
    #expect(abs(coordinate(0, 179.5).distance(to: coordinate(0, -179.5)) - degree) < 1e-6)
    #expect(abs(coordinate(90, 0).distance(to: coordinate(-90, 77)) - 180 * degree) < 1e-6)
    // By another formula, the spherical law of cosines, at a distance where it is accurate.
    let (paris, sydney) = (coordinate(48.8584, 2.2945), coordinate(-33.8568, 151.2153))
    let (φ1, φ2) = (48.8584 * Double.pi / 180, -33.8568 * Double.pi / 180)
    let turn = (151.2153 - 2.2945) * Double.pi / 180
    let angle = acos(sin(φ1) * sin(φ2) + cos(φ1) * cos(φ2) * cos(turn))
    #expect(abs(paris.distance(to: sydney) - Earth.meanRadiusMeters * angle) < 1e-3)
  }

  @Test func `distance is exactly symmetric`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<1000 {
      let a = coordinate(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      let b = coordinate(
        .random(in: -90...90, using: &generator), .random(in: -180...180, using: &generator))
      #expect(a.distance(to: b) == b.distance(to: a))
    }
  }

  @Test func `bearings are degrees clockwise from north`() {
    let here = coordinate(10, 20)
    #expect(here.bearing(to: coordinate(11, 20)) == 0)
    #expect(abs(here.bearing(to: coordinate(9, 20)) - 180) < 1e-9)
    #expect(abs(coordinate(0, 20).bearing(to: coordinate(0, 21)) - 90) < 1e-9)
    #expect(abs(coordinate(0, -179.9).bearing(to: coordinate(0, 179.9)) - 270) < 1e-9)
    #expect(here.bearing(to: here) == 0)
  }

  @Test func `cells are a hundredth of a degree, and 180° and −180° share one`() {
    #expect(GridCell(containing: coordinate(-0.005, -0.005)).row == -1)
    #expect(GridCell(containing: coordinate(90, 0)).row == 8999)
    #expect(GridCell(containing: coordinate(-90, 0)).row == -9000)
    #expect(GridCell(containing: coordinate(0, 180)) == GridCell(containing: coordinate(0, -180)))
  }
}
