import CivilTime
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

@testable import Recreations

@Suite struct RecreatedSpotsTests {
  private let temporary = TemporaryFolder()

  /// The spots of two photos of one place.
  private func spots() throws -> SpotIndex {
    try temporary.createFolder(temporary.path("photos"))
    for (name, sample) in [
      ("old.jpg", "2025 Paris/PXL_20250914_074402.jpg"), ("new.jpg", "2024 Paris/IMG_4471.jpg"),
    ] {
      try temporary.write(samplePhoto(sample), to: temporary.path("photos").appending(name))
    }
    let (index, _) = try PhotoIndexer().update(
      PhotoIndex(), with: [temporary.path("photos")], now: now)
    return SpotIndex(index, clusterRadius: 15)
  }

  private func recreation(
    _ photo: String, _ path: String = "none.jpg", spotID: String? = "gone",
    after seconds: Double = 0
  ) -> KeptRecreation {
    KeptRecreation(
      id: "r", photoName: "p", photoPath: temporary.path("photos").appending(photo),
      spotID: spotID, taken: now.advanced(bySeconds: seconds),
      // Those taken later are kept earlier: the times must not be confused.
      kept: now.advanced(bySeconds: -seconds), score: nil,
      path: temporary.path("photos").appending(path))
  }

  @Test func `a recreation belongs to the spot of its old or new photo, whatever the spot's id`()
    throws
  {
    let spots = try spots()
    let photos = temporary.path("photos")
    let id = try #require(spots.spotID(ofFileAt: photos.appending("old.jpg")))
    #expect(spots.spotID(ofFileAt: photos.appending("new.jpg")) == id)
    func times(_ recreations: [KeptRecreation]) -> [String: Instant] {
      RecreatedSpots.times(of: recreations, in: spots)
    }
    #expect(times([]) == [:])
    #expect(times([recreation("old.jpg")]) == [id: now])
    #expect(times([recreation("moved.jpg", "new.jpg", spotID: nil)]) == [id: now])
    // Both photos are missing: the recorded spot is used.
    #expect(times([recreation("moved.jpg")]) == ["gone": now])
    #expect(times([recreation("moved.jpg", spotID: nil)]) == [:])
  }

  @Test func `the latest recreation of a spot is used`() throws {
    let spots = try spots()
    let id = try #require(
      spots.spotID(ofFileAt: temporary.path("photos").appending("old.jpg")))
    for seconds in [[0.0, 60, -60], [60, 0, -60], [-60, 0, 60]] {
      let all = seconds.map { recreation("old.jpg", after: $0) }
      #expect(
        RecreatedSpots.times(of: all, in: spots) == [id: now.advanced(bySeconds: 60)],
        "\(seconds)")
    }
  }
}
