import Spatial
import Testing

@Suite struct CoordinateTests {
  @Test func `a coordinate is always on the globe`() {
    #expect(Coordinate(latitude: 90, longitude: -180) != nil)
    #expect(Coordinate(latitude: 90.0000001, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: 180.0000001) == nil)
    #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
  }
}
