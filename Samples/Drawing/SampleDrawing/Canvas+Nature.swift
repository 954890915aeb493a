extension Canvas {
  mutating func drawSugarloaf(_ light: Light) {
    light.drawSky(on: &self, horizon: 160, sun: Point(76, 70))
    fillHills(at: 148, relief: 12, shape: 2.2, color: light.shade(Color(0x5E7B70), distance: 0.5))
    fillSymmetric(
      around: 196,
      [
        (62, 6), (66, 14), (78, 24), (100, 33), (130, 41), (162, 48),
      ], color: light.shade(Color(0x5B5A4A)))
    fillSymmetric(
      around: 112, [(118, 12), (124, 26), (142, 46), (162, 60)],
      color: light.shade(Color(0x4B6A41)))
    stroke([Point(112, 118), Point(196, 62)], width: 0.8, color: light.shade(Color(0x333333)))
    fillRectangle(146, 90, 154, 96, color: light.shade(Color(0xC94A3B)))
    reflect(below: 162, tint: light.shade(Color(0x3F7691)))
    drawBoat(light, at: Point(70, 198))
    drawBoat(light, at: Point(246, 214))
  }

  mutating func drawBeach(_ light: Light) {
    light.drawSky(on: &self, horizon: 130, sun: Point(232, 66))
    fillSymmetric(
      around: 52, [(72, 8), (84, 20), (110, 40), (132, 62)],
      color: light.shade(Color(0x51706A), distance: 0.3))
    fillBand(from: 130, to: 190, light.shade(Color(0x2E7F9B)), light.shade(Color(0x7EC4C4)))
    drawSand(light, from: 186)
    // The promenade's pattern of waves in black and white stone.
    for row in 0..<4 {
      let y = 212 + Double(row) * 8
      fillRectangle(0, y, width, y + 4, color: light.shade(Color(0xEFEBE2)))
      for x in stride(from: Double(row % 2) * 16, to: width, by: 32) {
        fillDisc(
          at: Point(x, y + 2), radius: 10, height: 3, color: light.shade(Color(0x2C2C2E)))
      }
    }
  }

  mutating func drawEquatorMonument(_ light: Light) {
    light.drawSky(on: &self, horizon: 190, sun: Point(246, 44))
    fillHills(at: 152, relief: 22, shape: 5.1, color: light.shade(Color(0x6A8068), distance: 0.35))
    fillHills(at: 184, relief: 5, shape: 2.7, color: light.shade(Color(0x87924F)))
    fillSymmetric(
      around: 160, [(70, 20), (74, 24), (80, 20), (172, 30), (172, 46), (190, 50)],
      color: light.shade(Color(0xA7957B)))
    fillSymmetric(around: 160, [(80, 6), (172, 9)], color: light.shade(Color(0x867660)))
    fillDisc(at: Point(160, 54), radius: 16, color: light.shade(Color(0x7A8F9C)))
    fillRectangle(144, 53, 176, 55, color: light.shade(Color(0xE7C846)))
    fillBand(from: 190, to: 240, light.shade(Color(0xC9B898)), light.shade(Color(0xA99876)))
    let line = [Point(158, 190), Point(162, 190), Point(172, 240), Point(148, 240)]
    fill(line, color: light.shade(Color(0xE7C846)))
  }

  mutating func drawMeridianSign(_ light: Light) {
    light.drawSky(on: &self, horizon: 140, sun: Point(60, 52))
    fillBand(from: 140, to: 186, light.shade(Color(0x2C8FA8)), light.shade(Color(0x8AD3CB)))
    fillBand(from: 184, to: 240, light.shade(Color(0x7FA84C)), light.shade(Color(0x527D35)))
    for x in [132.0, 176] {
      fillRectangle(x, 104, x + 5, 206, color: light.shade(Color(0x6B4B2E)))
    }
    fillRectangle(96, 96, 156, 132, color: light.shade(Color(0xF3EAD2)))
    fillRectangle(158, 96, 218, 132, color: light.shade(Color(0xE9C65A)))
    for y in [106.0, 114, 122] {
      fillRectangle(104, y, 146, y + 2.5, color: light.shade(Color(0x554637)))
      fillRectangle(168, y, 210, y + 2.5, color: light.shade(Color(0x554637)))
    }
    drawPalm(light, at: Point(268, 204), height: 112, lean: -16)
  }

  mutating func drawLagoon(_ light: Light) {
    light.drawSky(on: &self, horizon: 120, sun: Point(160, 96))
    fillHills(at: 112, relief: 8, shape: 0.7, color: light.shade(Color(0x46705F), distance: 0.4))
    reflect(below: 122, tint: light.shade(Color(0x3FA7AE)), strength: 0.4)
    drawSand(light, from: 208)
    drawPalm(light, at: Point(46, 222), height: 136, lean: 26)
    drawPalm(light, at: Point(80, 228), height: 104, lean: 34)
    drawBoat(light, at: Point(214, 164))
  }

  mutating func drawWaterfall(_ light: Light) {
    light.drawSky(on: &self, horizon: 90, sun: Point(262, 30))
    fillHills(at: 62, relief: 8, shape: 3.3, color: light.shade(Color(0x5F7D45)))
    fillBand(from: 76, to: 204, light.shade(Color(0x6A6A4A)), light.shade(Color(0x3F443A)))
    var random = SplitMix64(seed: 77)
    for _ in 0..<26 {
      let (x, y) = (random.unit() * width, 80 + random.unit() * 100)
      fillDisc(
        at: Point(x, y), radius: 22, height: 3, color: light.shade(Color(0x73864C)), opacity: 0.5)
    }
    fillBand(from: 204, to: 240, light.shade(Color(0xB9C6C9)), light.shade(Color(0x5E6F73)))
    fillSymmetric(around: 160, [(66, 26), (208, 34)], color: light.shade(Color(0xE3ECEE)))
    for x in stride(from: 138.0, to: 184, by: 9) {
      fill(
        [Point(x, 68), Point(x + 2, 68), Point(x + 4, 204)], color: light.shade(Color(0xB4C7CD)))
    }
    for (x, radius) in [(120.0, 26.0), (160, 34), (202, 26)] {
      fillDisc(
        at: Point(x, 206), radius: radius, height: 12, color: light.shade(Color(0xF4F8F8)),
        opacity: 0.6)
    }
  }

  mutating func drawAurora(_ light: Light) {
    light.drawSky(on: &self, horizon: 180, sun: Point(40, 36))
    for curtain in 0..<2 {
      for x in stride(from: 0.0, to: width, by: 4) {
        let foot = 112 - Double(curtain) * 30 + 18 * Self.wave(x / 47 + Double(curtain) * 2)
        for reach in stride(from: 12.0, through: 60, by: 8) {
          let bright = Color(0x63F0AE).mixed(with: Color(0x6F5BD0), reach / 70)
          fillRectangle(x, foot - reach, x + 4, foot, color: bright, opacity: 0.08)
        }
      }
    }
    drawPeaks(light, base: 182, seed: 9, snow: Color(0xE6EEF8))
    fillBand(from: 180, to: 240, light.shade(Color(0xDDE6EE)), light.shade(Color(0xAEBFD0)))
    for (x, color) in [(70.0, 0xB5483A), (112, 0xD49A3C), (154, 0x4D7A6B), (196, 0xB5483A)] {
      fillRectangle(x, 190, x + 28, 210, color: light.shade(Color(color)))
      fill([Point(x - 3, 190), Point(x + 14, 176), Point(x + 31, 190)], color: Color(0xC9D4E2))
      fillRectangle(x + 10, 196, x + 17, 203, color: Color(0xF9D477))
    }
  }

  mutating func drawDeadSea(_ light: Light) {
    light.drawSky(on: &self, horizon: 120, sun: Point(108, 48))
    fillHills(at: 104, relief: 10, shape: 1.9, color: light.shade(Color(0xB48C74), distance: 0.3))
    fillHills(at: 118, relief: 3, shape: 4.0, color: light.shade(Color(0xA37A60), distance: 0.15))
    fillBand(from: 122, to: 200, light.shade(Color(0x3F9FB0)), light.shade(Color(0x9FDAD3)))
    var random = SplitMix64(seed: 31)
    for _ in 0..<22 {
      let depth = random.unit()
      fillDisc(
        at: Point(random.unit() * width, 150 + depth * 70), radius: 10 + depth * 22,
        height: 2 + depth * 5, color: light.shade(Color(0xF7F6F0)), opacity: 0.85)
    }
    fillBand(from: 218, to: 240, light.shade(Color(0xEDE6D6)), light.shade(Color(0xD6C7A8)))
  }

  mutating func drawTableMountain(_ light: Light) {
    light.drawSky(on: &self, horizon: 170, sun: Point(50, 40))
    let rock = [
      Point(0, 150), Point(34, 128), Point(58, 92), Point(76, 78), Point(244, 74), Point(256, 88),
      Point(276, 122), Point(296, 112), Point(320, 140), Point(320, 180), Point(0, 180),
    ]
    fill(rock, color: light.shade(Color(0x76777A), distance: 0.1))
    for x in stride(from: 82.0, to: 240, by: 17) {
      let gully = [Point(x, 80), Point(x + 8, 80), Point(x + 2, 124)]
      fill(gully, color: light.shade(Color(0x585B60)), opacity: 0.7)
    }
    for x in stride(from: 80.0, to: 244, by: 22) {
      fillDisc(at: Point(x, 74), radius: 20, height: 6, color: Color(0xFFFFFF), opacity: 0.7)
    }
    fillHills(at: 148, relief: 8, shape: 0.4, color: light.shade(Color(0x5E7D4C)))
    drawRoofs(light, from: 0, to: width, base: 186, heights: 4...16, seed: 19, distance: 0.3)
    reflect(below: 186, tint: light.shade(Color(0x2F6E93)), strength: 0.6)
  }

  mutating func drawVolcano(_ light: Light) {
    light.drawSky(on: &self, horizon: 180, sun: Point(270, 60))
    fillSymmetric(
      around: 176,
      [
        (58, 12), (62, 20), (92, 46), (130, 90), (164, 150), (184, 210),
      ], color: light.shade(Color(0x6C7FA3), distance: 0.15))
    let snow = [
      Point(164, 58), Point(188, 58), Point(226, 100), Point(212, 96), Point(204, 108),
      Point(190, 94), Point(178, 112), Point(166, 96), Point(152, 106), Point(144, 94),
      Point(126, 100),
    ]
    fill(snow, color: light.shade(Color(0xFAFBFD)))
    fillHills(at: 184, relief: 7, shape: 2.9, color: light.shade(Color(0x4F6F56)))
    fillHills(at: 212, relief: 6, shape: 0.2, color: light.shade(Color(0x3B5A3E)))
    let wood = light.shade(Color(0x4A3428))
    stroke([Point(0, 84), Point(44, 66), Point(92, 60)], width: 3, color: wood)
    stroke([Point(36, 69), Point(60, 40), Point(70, 16)], width: 2, color: wood)
    var random = SplitMix64(seed: 57)
    for _ in 0..<46 {
      let at = Point(random.unit() * 108, 12 + random.unit() * 74)
      let color = light.shade(Color(0xF6C3CF).mixed(with: Color(0xFFFFFF), random.unit() * 0.6))
      fillDisc(at: at, radius: 3 + random.unit() * 3, color: color, opacity: 0.9)
    }
  }

  mutating func drawSurf(_ light: Light) {
    light.drawSky(on: &self, horizon: 96, sun: Point(196, 42))
    let headland = [
      Point(320, 62), Point(286, 66), Point(262, 80), Point(226, 88), Point(212, 100),
      Point(320, 100),
    ]
    fill(headland, color: light.shade(Color(0x6F7C55)))
    fillBand(from: 96, to: 190, light.shade(Color(0x1E6A94)), light.shade(Color(0x74C2C6)))
    for (index, y) in [116.0, 136, 160].enumerated() {
      for x in stride(from: Double(index) * 21 - 20, to: width, by: 58) {
        fillDisc(
          at: Point(x, y), radius: 34, height: 2 + Double(index) * 1.5,
          color: light.shade(Color(0xF7FBFB)), opacity: 0.85)
      }
    }
    drawSand(light, from: 184)
    for (x, color) in [(68.0, 0xD8483E), (96, 0xE7B33C)] {
      fillDisc(at: Point(x, 196), radius: 5, height: 30, color: light.shade(Color(color)))
    }
  }

  /// Draws a chain of snowy mountains.
  private mutating func drawPeaks(_ light: Light, base: Double, seed: UInt64, snow: Color) {
    var random = SplitMix64(seed: seed)
    for x in stride(from: -10.0, to: width + 20, by: 46) {
      let top = base - 34 - random.unit() * 40
      let slope = [Point(x - 44, base), Point(x, top), Point(x + 44, base)]
      fill(slope, color: light.shade(Color(0x66748C)))
      let cap = [
        Point(x, top), Point(x + 18, top + 24), Point(x + 6, top + 19), Point(x - 3, top + 30),
        Point(x - 14, top + 20),
      ]
      fill(cap, color: light.shade(snow))
    }
  }

  /// Draws sand from a height down to the lower edge, with a wet rim.
  private mutating func drawSand(_ light: Light, from top: Double) {
    var edge = stride(from: 0.0, through: width, by: 5).map { x -> Point in
      let phase = (x / 90).truncatingRemainder(dividingBy: 1)
      return Point(x, top - 3 + 16 * phase * (1 - phase))
    }
    edge += [Point(width, height), Point(0, height)]
    fill(edge.map { Point($0.x, $0.y - 3) }, color: light.shade(Color(0xF3F4EE)))
    fill(edge, color: light.shade(Color(0xEBD9AE)))
  }

  private mutating func drawBoat(_ light: Light, at point: Point) {
    let (x, y) = (point.x, point.y)
    fill(
      [Point(x - 12, y), Point(x + 12, y), Point(x + 8, y + 5), Point(x - 8, y + 5)],
      color: light.shade(Color(0x7D4A34)))
    fill(
      [Point(x, y - 2), Point(x, y - 24), Point(x + 12, y - 3)],
      color: light.shade(Color(0xFBF8EE)))
  }

  private mutating func drawPalm(
    _ light: Light, at foot: Point, height: Double, lean: Double
  ) {
    let top = Point(foot.x + lean, foot.y - height)
    let middle = Point(foot.x + lean * 0.3, foot.y - height * 0.5)
    stroke([foot, middle, top], width: 4, color: light.shade(Color(0x7B5E3F)))
    for (x, y) in [(-34.0, 8.0), (-26, -14), (-6, -24), (18, -20), (34, -4), (30, 18), (-24, 24)] {
      let frond = [
        top, Point(top.x + x * 0.55 + 2, top.y + y * 0.55 - 7), Point(top.x + x, top.y + y + 8),
        Point(top.x + x * 0.5, top.y + y * 0.5 + 1),
      ]
      fill(frond, color: light.shade(Color(0x3F7A3C)))
    }
  }
}
