import CLibrary

/// A matcher that locates the view of one picture in other pictures of the same place.
///
/// The steps are those of the page's `align/aligner.js`, with results that agree within 1 %
/// (`Tests/Server/Page/vectors`). The comparison uses edges, not brightness. A correlation over
/// rotations, scales and shifts finds candidate placements; the shifts of tiles refine them.
package struct Aligner: Sendable {
  /// The number of candidate placements that are refined, besides the identity.
  private static let placesTried = 5
  /// The maximum tile shifts in pixels: in the first round, in the second round, and for parallax.
  private static let far = TileShift.Reach(x: 5, y: 5)
  private static let close = TileShift.Reach(x: 3, y: 3)
  private static let sideways = TileShift.Reach(x: 15, y: 2)
  /// The maximum distance in pixels between a matching tile and its expected position.
  private static let placedWithin = 1.6
  /// The share of the view inside the picture below which a match counts less.
  private static let leastOverlap = 0.4
  /// The distance from which two placements count as different, in widths of the picture.
  private static let elsewhere = 0.05

  private let width: Int
  private let height: Int
  private let view: SeenEdges
  private let tiles: [Tile]
  private let search: ViewSearch

  /// A refined placement of the view in a picture.
  private struct Refined {
    let map: Similarity
    /// The shifts of tiles that remain after the placement.
    let shifts: [TileShift]
    /// The correlation of the tiles, reduced if many of them are displaced or outside the picture.
    let alike: Double
    let parallax: Parallax
  }

  /// Creates an aligner for the view of a picture.
  ///
  /// Takes as long as one comparison, and 8 MiB of memory.
  package init(_ picture: ComparedPicture) {
    (width, height) = (picture.width, picture.height)
    view = SeenEdges(picture)
    tiles = Tile.all(width: width, height: height)
    search = ViewSearch(view.half)
  }

  /// Locates the view in a picture.
  ///
  /// - Precondition: The picture has the same size as that of the view.
  package func placement(in picture: ComparedPicture) -> ViewPlacement {
    precondition(picture.width == width && picture.height == height)
    let seen = SeenEdges(picture)
    let (best, rival) = found(seen)
    return ViewPlacement(
      ViewPlacement.Measurement(
        map: best.map, width: width, height: height, parallax: best.parallax, alike: best.alike,
        rival: rival, agreement: agreement(seen.field), texture: min(seen.texture, view.texture),
        isDark: seen.isDark || view.isDark, isBlank: seen.isBlank || view.isBlank))
  }

  /// Returns the best placement, and the correlation of the second best as a share of the best
  /// one's.
  ///
  /// The correlation of the second best is limited, tile by tile, to that of the best: a repeated
  /// pattern matches in the same tiles at both placements, two planes of a scene in different
  /// tiles.
  private func found(_ seen: SeenEdges) -> (best: Refined, rival: Double) {
    let places = search.places(in: seen.half, most: Self.placesTried).map {
      Similarity(turnDegrees: $0.turnDegrees, zoom: $0.zoom, x: 2 * $0.x, y: 2 * $0.y)
    }
    let first = refined(.identity, seen.field)
    var others = places.map { refined($0, seen.field) }
    var best = first
    for index in others.indices where others[index].alike > best.alike {
      swap(&others[index], &best)
    }
    let rivals = others.filter { isElsewhere($0.map, best.map) }.map { other in
      Self.alike(
        other.shifts.indices.map { index in
          var shift = other.shifts[index]
          shift.alike = min(shift.alike, best.shifts[index].alike)
          return shift
        })
    }
    return (best, max(0, rivals.max() ?? 0) / max(0.01, Self.alike(best.shifts)))
  }

  /// Refines a placement twice by the shifts of tiles, then measures the parallax.
  private func refined(_ place: Similarity, _ field: EdgeField) -> Refined {
    var map = place
    for reach in [Self.far, Self.close] {
      let shifts = TileShift.shifts(tiles, of: view.field, in: field.mapped(by: map), reach)
      guard let fit = CommonShift.fit(tiles, shifts, reach: Double(reach.x)) else { break }
      map = Similarity(a: 1 + fit.s, b: fit.r, x: fit.x, y: fit.y).followed(by: map)
    }
    let shifts = TileShift.shifts(
      tiles, of: view.field, in: field.mapped(by: map), Self.sideways)
    let alike =
      Self.alike(shifts) * Self.placed(shifts).squareRoot()
      * min(1, overlap(map, shifts) / Self.leastOverlap)
    return Refined(
      map: map, shifts: shifts, alike: alike,
      parallax: Parallax(tiles, shifts, width: width, height: height))
  }

  /// Returns the share of the view's edge energy that is inside the picture.
  private func overlap(_ map: Similarity, _ shifts: [TileShift]) -> Double {
    var (own, within) = (1e-9, 0.0)
    for (tile, shift) in zip(tiles, shifts) {
      let (x, y) = map.transformed(tile.x, tile.y)
      own += shift.own
      if abs(x) < Double(width) / 2, abs(y) < Double(height) / 2 { within += shift.own }
    }
    return within / own
  }

  /// Returns the correlation of edge directions at corresponding positions, regardless of contrast
  /// polarity.
  private func agreement(_ field: EdgeField) -> Double {
    let own = view.field
    var (alike, most) = (0.0, 1e-9)
    for at in own.du.indices {
      let (a, b, c, d) = (own.du[at], own.dv[at], field.du[at], field.dv[at])
      alike += a * c + b * d
      most += ((a * a + b * b) * (c * c + d * d)).squareRoot()
    }
    return alike / most
  }

  /// Returns the mean correlation of unshifted tiles, weighted by edge energy.
  private static func alike(_ shifts: [TileShift]) -> Double {
    var (alike, energy) = (0.0, 1e-9)
    for shift in shifts {
      alike += shift.alike * shift.energy
      energy += shift.energy
    }
    return alike / energy
  }

  /// Returns the share of the total weight that belongs to tiles close to their expected position.
  private static func placed(_ shifts: [TileShift]) -> Double {
    var (placed, all) = (0.0, 1e-9)
    for shift in shifts {
      all += shift.weight
      if hypot(shift.x, shift.y) <= placedWithin { placed += shift.weight }
    }
    return placed / all
  }

  private func isElsewhere(_ one: Similarity, _ other: Similarity) -> Bool {
    hypot(one.x - other.x, one.y - other.y)
      + Double(width) / 2 * hypot(one.a - other.a, one.b - other.b) > Self.elsewhere * Double(width)
  }
}

extension ComparedPicture {
  /// Whether the picture shows too little to recognise a view, such as a photo of which most is
  /// missing, or one of a lens cap.
  package var isBlank: Bool {
    let inside = Border.inside(self)
    return Blankness.isBlank(
      EdgeField.edges(of: self, inside: inside).gradients, self, inside: inside)
  }
}

/// The edges of a picture at full and at half size, with measures of its quality.
private struct SeenEdges {
  /// The minimum brightness of a light pixel, in grey levels.
  private static let darkLevel = 60.0

  let field: EdgeField
  let half: EdgeField
  /// The ratio of strong gradients to noise.
  let texture: Double
  /// Whether less than 5 % of the pixels are light.
  let isDark: Bool
  /// Whether most of the picture is plain, or hardly any of it has edges.
  let isBlank: Bool

  init(_ picture: ComparedPicture) {
    let inside = Border.inside(picture)
    let (field, gradients) = EdgeField.edges(of: picture, inside: inside)
    self.field = field
    let insideHalf = inside.map { Self.halved($0, picture) }
    half = EdgeField.edges(of: picture.halved, inside: insideHalf).field
    let sorted = EdgeField.everyThird(gradients)
    texture = sorted[sorted.count * 9 / 10] / (6 + 6 * picture.noise)
    isDark = picture.values.count { $0 > Self.darkLevel } * 20 < picture.values.count
    isBlank = Blankness.isBlank(gradients, picture, inside: inside)
  }

  private static func halved(_ inside: [Bool], _ picture: ComparedPicture) -> [Bool] {
    let width = picture.width / 2
    return (0..<width * (picture.height / 2)).map { index in
      let at = 4 * width * (index / width) + 2 * (index % width)
      return inside[at] && inside[at + 1] && inside[at + 2 * width] && inside[at + 2 * width + 1]
    }
  }
}
