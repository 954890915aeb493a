internal import CLibrary

extension Canvas {
  /// Fills an axis-aligned rectangle.
  mutating func fillRectangle(
    _ left: Double, _ top: Double, _ right: Double, _ bottom: Double, color: Color,
    opacity: Double = 1
  ) {
    let corners = [
      Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom),
    ]
    fill(corners, color: color, opacity: opacity)
  }

  /// Fills an ellipse, or a disc if only one radius is given.
  mutating func fillDisc(
    at center: Point, radius: Double, height: Double? = nil, color: Color, opacity: Double = 1
  ) {
    fill(
      Self.arc(at: center, radius: radius, height: height ?? radius, from: 0, to: 360),
      color: color, opacity: opacity)
  }

  /// Draws a polyline of constant width.
  mutating func stroke(_ points: [Point], width: Double, color: Color) {
    for (start, end) in zip(points, points.dropFirst()) {
      let (east, south) = (end.x - start.x, end.y - start.y)
      let length = max((east * east + south * south).squareRoot(), 0.001)
      let (x, y) = (-south / length * width / 2, east / length * width / 2)
      let band = [
        Point(start.x + x, start.y + y), Point(end.x + x, end.y + y),
        Point(end.x - x, end.y - y), Point(start.x - x, start.y - y),
      ]
      fill(band, color: color)
    }
  }

  /// Fills the land under a chain of hills that reaches from edge to edge.
  ///
  /// Their height varies by `relief` around a height on the canvas. Different values of `shape`
  /// give different hills.
  mutating func fillHills(at line: Double, relief: Double, shape: Double, color: Color) {
    var outline = stride(from: 0, through: width, by: 4).map { x in
      let wave = sin(x / 61 + shape) + 0.5 * sin(x / 27 + shape * 2.3) + 0.2 * sin(x / 11 + shape)
      return Point(x, line - relief * wave / 1.7)
    }
    outline += [Point(width, height), Point(0, height)]
    fill(outline, color: color)
  }

  /// Fills an outline that is symmetric about a vertical axis.
  ///
  /// The profile lists, from top to bottom, heights and the distances of the outline from the axis.
  mutating func fillSymmetric(
    around x: Double, _ profile: [(y: Double, reach: Double)], color: Color
  ) {
    fill(Self.symmetric(around: x, profile), color: color)
  }

  /// Returns an outline that is symmetric about a vertical axis.
  static func symmetric(around x: Double, _ profile: [(y: Double, reach: Double)]) -> [Point] {
    profile.map { Point(x + $0.reach, $0.y) } + profile.reversed().map { Point(x - $0.reach, $0.y) }
  }

  /// Returns the sine of an angle in radians.
  static func wave(_ angle: Double) -> Double { sin(angle) }

  /// Returns points of an elliptical arc, with angles in degrees clockwise from the right.
  static func arc(
    at center: Point, radius: Double, height: Double, from start: Double, to end: Double
  ) -> [Point] {
    (0...32).map { step in
      let angle = (start + (end - start) * Double(step) / 32) * Double.pi / 180
      return Point(center.x + radius * cos(angle), center.y + height * sin(angle))
    }
  }
}
