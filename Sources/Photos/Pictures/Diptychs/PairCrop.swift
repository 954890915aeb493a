/// The visible parts of two pictures: of the same shape, and of the same view if their alignment is
/// known.
struct PairCrop: Sendable {
  /// The mapping from points in a box to points of the earlier picture.
  let earlier: Similarity
  /// The mapping from points in a box to points of the later picture.
  let later: Similarity

  /// The minimum size of the common part, relative to the part that a picture would show by itself,
  /// as a ratio of widths; pictures with less in common are not aligned.
  private static let leastShare = 0.4
  /// The number of centres of the common part that are tried in each direction.
  private static let middles = 17

  /// Chooses the largest parts that fill a box.
  ///
  /// - Parameters:
  ///   - earlier: The earlier picture.
  ///   - later: The later picture.
  ///   - alignment: The alignment of the later picture with the earlier one; `nil` if unknown.
  ///   - width: The width of the box in pixels.
  ///   - height: The height of the box in pixels.
  init(
    _ earlier: Pixels, _ later: Pixels, _ alignment: PictureAlignment?, width: Int, height: Int
  ) {
    let shape = Double(width) / Double(height)
    if let map = alignment?.map(from: earlier, to: later),
      let part = Self.common(earlier, later, map, shape: shape)
    {
      self.earlier = Similarity(scale: part.width / Double(width), x: part.x, y: part.y)
      self.later = self.earlier.followed(by: map)
      return
    }
    self.earlier = Self.middle(of: earlier, width: width, shape)
    self.later = Self.middle(of: later, width: width, shape)
  }

  private static func middle(of picture: Pixels, width: Int, _ shape: Double) -> Similarity {
    let part = PictureAlignment.middle(of: picture, shape)
    return Similarity(
      scale: part.width / Double(width), x: (Double(picture.width) - part.width) / 2,
      y: (Double(picture.height) - part.height) / 2)
  }

  private struct Part {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    init(middle: (x: Double, y: Double), width: Double, shape: Double) {
      (self.width, height) = (width, width / shape)
      (x, y) = (middle.x - width / 2, middle.y - height / 2)
    }

    var corners: [(x: Double, y: Double)] {
      [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    }
  }

  /// Returns the largest part of the earlier picture that is completely visible in the later one;
  /// `nil` if it is too small. Of parts of similar size, the one closer to the centre is preferred.
  private static func common(
    _ earlier: Pixels, _ later: Pixels, _ map: Similarity, shape: Double
  ) -> Part? {
    let whole = PictureAlignment.middle(of: earlier, shape).width
    let isSeen = { (place: (x: Double, y: Double), picture: Pixels) in
      (0...Double(picture.width)).contains(place.x)
        && (0...Double(picture.height)).contains(place.y)
    }
    func isCommon(_ part: Part) -> Bool {
      part.corners.allSatisfy { isSeen($0, earlier) && isSeen(map.transformed($0.x, $0.y), later) }
    }
    var best: (part: Part, value: Double)?
    for row in 0..<middles {
      for column in 0..<middles {
        let (across, down) = (
          Double(column) / Double(middles - 1), Double(row) / Double(middles - 1)
        )
        let middle = (x: across * Double(earlier.width), y: down * Double(earlier.height))
        var (fits, wide) = (0.0, whole * 1.000001)
        for _ in 0..<16 {
          let width = (fits + wide) / 2
          if isCommon(Part(middle: middle, width: width, shape: shape)) {
            fits = width
          } else {
            wide = width
          }
        }
        let aside = max(abs(across - 0.5), abs(down - 0.5))
        let value = fits * (1 - 0.02 * aside)
        guard fits >= whole * leastShare, value > best?.value ?? 0 else { continue }
        best = (Part(middle: middle, width: fits, shape: shape), value)
      }
    }
    return best?.part
  }
}
