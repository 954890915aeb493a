/// The lighting of a scene.
enum Light {
  case dawn, day, haze, sunset, dusk, night, winter

  /// The color of the sky at the zenith.
  var zenith: Color {
    switch self {
    case .dawn: Color(0x7FA6C9)
    case .day: Color(0x3F87C6)
    case .haze: Color(0x9DB4C2)
    case .sunset: Color(0x4E5F9C)
    case .dusk: Color(0x27305F)
    case .night: Color(0x0B1230)
    case .winter: Color(0xA9BCCB)
    }
  }

  /// The color of the sky just above the horizon.
  var horizon: Color {
    switch self {
    case .dawn: Color(0xF7D9BC)
    case .day: Color(0xCFE6F2)
    case .haze: Color(0xE6E8E4)
    case .sunset: Color(0xF9B36B)
    case .dusk: Color(0xC97B84)
    case .night: Color(0x2C3D66)
    case .winter: Color(0xEDEFF0)
    }
  }

  /// The color of the sun, or of the moon at night.
  private var disc: Color {
    switch self {
    case .dawn, .winter: Color(0xFFF4DC)
    case .day: Color(0xFFF6C9)
    case .haze: Color(0xF6F3E8)
    case .sunset: Color(0xFFE39A)
    case .dusk: Color(0xFFC59A)
    case .night: Color(0xF2F0DC)
    }
  }

  /// Whether lamps are on.
  var isDark: Bool { self == .night || self == .dusk }

  /// Returns a daylight color as it appears in this light: darker, or tinted by the sky.
  func shade(_ color: Color) -> Color {
    switch self {
    case .dawn, .haze, .winter: color.mixed(with: horizon, 0.18)
    case .day: color
    case .sunset: color.mixed(with: Color(0x8A3F3A), 0.32)
    case .dusk: color.mixed(with: Color(0x1B1B3C), 0.62)
    case .night: color.mixed(with: Color(0x080D22), 0.76)
    }
  }

  /// Returns the color of a distant object, which fades into the sky: 0 is near, 1 has the color of
  /// the horizon.
  func shade(_ color: Color, distance: Double) -> Color {
    shade(color).mixed(with: horizon, distance)
  }

  /// Draws the sky down to the horizon, with a sun or moon and a few clouds or stars, and fills the
  /// area below the horizon with haze.
  func drawSky(on canvas: inout Canvas, horizon line: Double, sun: Point) {
    canvas.fillBand(from: 0, to: line, zenith, horizon)
    canvas.fillBand(from: line, to: canvas.height, horizon, shade(Color(0x7C8474)))
    if self == .night {
      var random = SplitMix64(seed: UInt64(sun.x + sun.y * 1000))
      for _ in 0..<40 {
        let star = Point(
          random.unit() * canvas.width, random.unit() * line * 0.75)
        canvas.fillDisc(at: star, radius: 0.5 + random.unit() * 0.5, color: Color(0xE8ECFF))
      }
    }
    for (radius, opacity) in [(34.0, 0.08), (25.0, 0.12), (18.0, 0.2)] where self != .haze {
      canvas.fillDisc(at: sun, radius: radius, color: disc, opacity: opacity)
    }
    canvas.fillDisc(at: sun, radius: self == .night ? 9 : 12, color: disc)
    guard self != .night else { return }
    for (x, y, size) in [(0.18, 0.3, 1.0), (0.67, 0.17, 0.8), (0.88, 0.45, 0.6)] {
      let center = Point(x * canvas.width, y * line)
      drawCloud(on: &canvas, at: center, size: size * 22)
    }
  }

  private func drawCloud(on canvas: inout Canvas, at center: Point, size: Double) {
    let color = horizon.mixed(with: Color(0xFFFFFF), 0.6)
    for (x, y, share) in [(-0.8, 0.08, 0.5), (0.0, 0.0, 0.75), (0.85, 0.1, 0.45)] {
      canvas.fillDisc(
        at: Point(center.x + x * size, center.y + y * size), radius: size * share,
        height: size * share * 0.38, color: color, opacity: 0.5)
    }
  }
}
