import Spatial

/// The numbers of spots and photos in each block of the search tree over all spots, by which those
/// in a box are counted without visiting each spot.
struct BlockSums: Sendable {
  private var spots: [UInt8]
  private var photos: [Int]

  /// Sums the photos of each block.
  ///
  /// - Parameters:
  ///   - centers: The search tree.
  ///   - photoCounts: The number of counted photos of each spot; spots without any are not counted.
  init(_ centers: SpatialIndex, photoCounts: [Int32]) {
    var (spots, photos) = ([UInt8](), [Int]())
    spots.reserveCapacity(centers.blockCount)
    photos.reserveCapacity(centers.blockCount)
    for block in 0..<centers.blockCount {
      var (spotCount, photoCount) = (UInt8(0), 0)
      centers.forEachPlace(inBlock: block) { place in
        guard photoCounts[place] > 0 else { return }
        spotCount += 1
        photoCount += Int(photoCounts[place])
      }
      spots.append(spotCount)
      photos.append(photoCount)
    }
    (self.spots, self.photos) = (spots, photos)
  }

  /// Counts the spots and photos in a box, edges included.
  ///
  /// - Parameters:
  ///   - box: The box.
  ///   - centers: The search tree.
  ///   - photoCount: Returns the number of counted photos of a spot, given its index.
  /// - Returns: The numbers of spots and photos.
  func counts(
    in box: BoundingBox, _ centers: SpatialIndex, photoCount: (_ place: Int) -> Int
  ) -> (spots: Int, photos: Int) {
    var (spotCount, sum) = (0, 0)
    centers.forEach(in: box) { block in
      spotCount += Int(spots[block])
      sum += photos[block]
    } position: { place in
      let count = photoCount(place)
      if count > 0 { spotCount += 1 }
      sum += count
    }
    return (spotCount, sum)
  }
}
