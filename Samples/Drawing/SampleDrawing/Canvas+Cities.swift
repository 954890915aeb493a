extension Canvas {
  mutating func drawEiffelTowerFromTrocadero(_ light: Light, shift: Double) {
    light.drawSky(on: &self, horizon: 190, sun: Point(70 - shift * 3, 62 + shift * 2))
    drawRoofs(light, from: 0, to: width, base: 196, heights: 8...22, seed: 7, distance: 0.45)
    drawEiffelTower(light, x: 164 + shift, base: 200, height: 172)
    fillHills(at: 200, relief: 3, shape: 1 + shift, color: light.shade(Color(0x55763F)))
    fillRectangle(0, 208, width, 214, color: light.shade(Color(0xB9AE97)))
    fillBand(
      from: 214, to: 240, light.shade(Color(0x9DB6BF)), light.shade(Color(0x6F929F)))
    for x in stride(from: 50 + shift, to: 300, by: 38) {
      let color = light.shade(Color(0xF0F5F5))
      fill([Point(x, 236), Point(x + 2, 217), Point(x + 4, 236)], color: color, opacity: 0.8)
    }
  }

  mutating func drawEiffelTowerFromLawn(_ light: Light, shift: Double) {
    light.drawSky(on: &self, horizon: 180, sun: Point(248 + shift * 2, 54 - shift))
    drawRoofs(light, from: 0, to: width, base: 186, heights: 6...14, seed: 11, distance: 0.5)
    drawEiffelTower(light, x: 158 + shift, base: 198, height: 190)
    fillBand(from: 196, to: 240, light.shade(Color(0x86A653)), light.shade(Color(0x5C8038)))
    let path = [Point(150, 196), Point(168, 196), Point(214, 240), Point(104, 240)]
    fill(path, color: light.shade(Color(0xD9C9A3)))
    for (x, size) in [(22.0, 26.0), (66, 20), (258, 21), (302, 27)] {
      drawTree(at: Point(x, 204), size: size, color: light.shade(Color(0x3E6331)))
    }
  }

  private mutating func drawEiffelTower(
    _ light: Light, x: Double, base: Double, height: Double
  ) {
    func point(_ share: Double, _ reach: Double) -> (y: Double, reach: Double) {
      (base - share * height, reach * height)
    }
    let outline = Self.symmetric(
      around: x,
      [
        point(1, 0.003), point(0.93, 0.009), point(0.925, 0.022), point(0.9, 0.022),
        point(0.89, 0.013), point(0.6, 0.028), point(0.37, 0.058), point(0.37, 0.072),
        point(0.345, 0.072), point(0.34, 0.062), point(0.19, 0.105), point(0.19, 0.128),
        point(0.155, 0.128), point(0.15, 0.118), point(0, 0.19),
      ])
    let arch = Self.arc(
      at: Point(x, base), radius: 0.1 * height, height: 0.125 * height, from: 180, to: 360)
    let opening = Self.symmetric(around: x, [point(0.33, 0.026), point(0.2, 0.062)])
    let slit = Self.symmetric(around: x, [point(0.55, 0.004), point(0.39, 0.022)])
    let iron = light.isDark ? Color(0xE0A54E) : light.shade(Color(0x6B5442), distance: 0.12)
    fill(outline, arch, opening, slit, color: iron)
    guard light == .night else { return }
    fillDisc(at: Point(x, base - height), radius: 2.4, color: Color(0xFFF3C4))
  }

  mutating func drawCathedral(_ light: Light) {
    light.drawSky(on: &self, horizon: 176, sun: Point(258, 48))
    drawRoofs(light, from: 0, to: width, base: 182, heights: 10...30, seed: 23, distance: 0.35)
    let stone = light.shade(Color(0xCBBDA0))
    let dark = light.shade(Color(0x6E6350))
    fillRectangle(108, 110, 212, 182, color: stone)
    for left in [108.0, 176] {
      fillRectangle(left, 62, left + 36, 182, color: stone)
      for window in [left + 7, left + 20] {
        fillRectangle(window, 70, window + 8, 104, color: dark)
      }
      let door = Self.arc(
        at: Point(left + 18, 166), radius: 9, height: 18, from: 180, to: 360)
      fill(door + [Point(left + 27, 182), Point(left + 9, 182)], color: dark)
    }
    let door = Self.arc(at: Point(160, 164), radius: 10, height: 20, from: 180, to: 360)
    fill(door + [Point(170, 182), Point(150, 182)], color: dark)
    fillDisc(at: Point(160, 124), radius: 13, color: dark)
    fillDisc(at: Point(160, 124), radius: 9, color: light.shade(Color(0x7C8FB5)))
    fill([Point(157, 110), Point(160, 34), Point(163, 110)], color: dark)
    fillRectangle(0, 180, width, 188, color: light.shade(Color(0x9C927D)))
    reflect(below: 188, tint: light.shade(Color(0x5E7C74)))
  }

  mutating func drawBasilica(_ light: Light) {
    light.drawSky(on: &self, horizon: 200, sun: Point(52, 60))
    fillHills(at: 176, relief: 8, shape: 4.2, color: light.shade(Color(0x5D7E46)))
    let stone = light.shade(Color(0xF3EEE2))
    let shadow = light.shade(Color(0xC4BCA9))
    for (x, top, reach) in [(160.0, 44.0, 24.0), (116, 92, 12), (204, 92, 12)] {
      let base = top + reach * 2.2
      fillSymmetric(
        around: x,
        [
          (top - reach * 0.5, 1), (top, reach * 0.22), (top + reach * 0.6, reach * 0.72),
          (top + reach * 1.3, reach), (base, reach),
        ], color: stone)
      fillRectangle(x - reach, base, x + reach, 160, color: shadow)
    }
    fillRectangle(98, 132, 222, 172, color: stone)
    for x in [126.0, 160, 194] {
      let arch = Self.arc(at: Point(x, 152), radius: 9, height: 11, from: 180, to: 360)
      fill(arch + [Point(x + 9, 172), Point(x - 9, 172)], color: light.shade(Color(0x7D7565)))
    }
    for step in 0..<8 {
      let (y, inset) = (174 + Double(step) * 8, 96 - Double(step) * 9)
      let color = light.shade(step.isMultiple(of: 2) ? Color(0xD8D0BE) : Color(0xBFB7A4))
      fillRectangle(inset, y, width - inset, y + 8, color: color)
    }
  }

  mutating func drawCafe(_ light: Light) {
    fillBand(from: 0, to: 200, light.shade(Color(0xD9CDB8)), light.shade(Color(0xC6B89E)))
    for x in stride(from: 22.0, to: 300, by: 72) {
      fillRectangle(x, 14, x + 40, 74, color: light.shade(Color(0x8196A0)))
      fillRectangle(x + 19, 14, x + 21, 74, color: light.shade(Color(0xF1EBDD)))
      for y in stride(from: 62.0, to: 76, by: 4) {
        fillRectangle(x - 4, y, x + 44, y + 1.5, color: light.shade(Color(0x33373B)))
      }
    }
    for stripe in 0..<16 {
      let (left, right) = (Double(stripe) * 20, Double(stripe + 1) * 20)
      let color = stripe.isMultiple(of: 2) ? Color(0x2F5D4A) : Color(0xF2ECDC)
      fill(
        [Point(left, 92), Point(right, 92), Point(right, 128), Point(left, 128)],
        color: light.shade(color))
      let hem = Self.arc(
        at: Point((left + right) / 2, 128), radius: 10, height: 7, from: 0, to: 180)
      fill(hem, color: light.shade(color))
    }
    fillRectangle(20, 138, 300, 200, color: Color(0xF4C976).mixed(with: light.zenith, 0.25))
    for x in [20.0, 88, 156, 224, 292] {
      fillRectangle(x, 136, x + 8, 200, color: light.shade(Color(0x4B3525)))
    }
    fillBand(from: 200, to: 240, light.shade(Color(0x9B958A)), light.shade(Color(0x7D786F)))
    for x in [52.0, 126, 198, 264] {
      fillDisc(at: Point(x, 196), radius: 18, height: 4, color: light.shade(Color(0xE9E4D8)))
      fillRectangle(x - 1.5, 196, x + 1.5, 224, color: light.shade(Color(0x2E2A27)))
      fillDisc(at: Point(x, 225), radius: 10, height: 2, color: light.shade(Color(0x2E2A27)))
    }
  }

  mutating func drawSuspensionBridge(_ light: Light) {
    light.drawSky(on: &self, horizon: 210, sun: Point(width * 0.28, 70))
    drawRoofs(
      light, from: 0, to: width, base: 262, heights: 60...136, seed: 41, distance: 0.4)
    let stone = light.shade(Color(0x8D7257))
    let middle = width / 2
    fillRectangle(0, 196, width, 204, color: light.shade(Color(0x5B5348)))
    for x in [middle - 8, middle + 8] {
      stroke([Point(x, 94), Point(x < middle ? 0 : width, 194)], width: 1.6, color: stone)
    }
    for step in 1..<11 {
      let share = Double(step) / 11
      for x in [middle * (1 - share), middle * (1 + share)] {
        stroke([Point(x, 94 + 100 * share), Point(x, 198)], width: 0.6, color: stone)
      }
    }
    let tower = [
      Point(middle - 34, 84), Point(middle + 34, 84), Point(middle + 34, 262),
      Point(middle - 34, 262),
    ]
    let arches = [middle - 15, middle + 15].map { x in
      Self.arc(at: Point(x, 132), radius: 9, height: 22, from: 180, to: 360)
        + [Point(x + 9, 194), Point(x - 9, 194)]
    }
    fill([tower] + arches, color: stone)
    fillRectangle(middle - 38, 80, middle + 38, 88, color: stone)
    reflect(below: height - 60, tint: light.shade(Color(0x4C6B7D)))
  }

  mutating func drawSkyline(_ light: Light) {
    light.drawSky(on: &self, horizon: 210, sun: Point(266, 46))
    drawRoofs(
      light, from: 0, to: width, base: 240, heights: 70...140, seed: 3, distance: 0.55)
    drawRoofs(
      light, from: 0, to: width, base: 240, heights: 40...104, seed: 5, distance: 0.2)
    let stone = light.shade(Color(0x756C66))
    fillSymmetric(
      around: 132,
      [
        (28, 0.8), (56, 1.2), (58, 5), (78, 7), (80, 12), (104, 13), (106, 18), (240, 20),
      ], color: stone)
    drawWindows(light, from: 116, to: 148, top: 112, bottom: 236, seed: 8)
  }

  mutating func drawSubway() {
    fillBand(from: 0, to: 240, Color(0xE8E6DC), Color(0xC9C5B6))
    for y in stride(from: 20.0, to: 180, by: 16) {
      fillRectangle(0, y, width, y + 1, color: Color(0xB9B5A6))
    }
    fillRectangle(0, 34, width, 62, color: Color(0x28527A))
    fillRectangle(0, 62, width, 66, color: Color(0xC9A23F))
    fillRectangle(26, 84, 294, 204, color: Color(0xA9B0B5))
    fillRectangle(26, 150, 294, 160, color: Color(0x345E9E))
    for x in stride(from: 40.0, to: 280, by: 62) {
      fillRectangle(x, 98, x + 44, 140, color: Color(0xF3E3AC))
    }
    fillBand(from: 204, to: 240, Color(0x55524C), Color(0x2D2B28))
    fillRectangle(0, 204, width, 209, color: Color(0xE0C33C))
  }

  /// Draws a row of buildings with flat roofs, lit at night.
  mutating func drawRoofs(
    _ light: Light, from left: Double, to right: Double, base: Double,
    heights: ClosedRange<Double>, seed: UInt64, distance: Double
  ) {
    var random = SplitMix64(seed: seed)
    var x = left - random.unit() * 10
    while x < right {
      let span = 12 + random.unit() * 22
      let top =
        base - heights.lowerBound
        - random.unit() * (heights.upperBound - heights.lowerBound)
      let wall = Color(0x8E8579).mixed(with: Color(0x5F6A77), random.unit())
      fillRectangle(x, top, x + span, base, color: light.shade(wall, distance: distance))
      if base - top > 16 {
        drawWindows(
          light, from: x + 3, to: x + span - 3, top: top + 4, bottom: base - 4,
          seed: random.next())
      }
      x += span
    }
  }

  private mutating func drawWindows(
    _ light: Light, from left: Double, to right: Double, top: Double, bottom: Double,
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    for y in stride(from: top, to: bottom - 3, by: 8) {
      for x in stride(from: left, to: right - 2, by: 6) where random.unit() < 0.55 {
        let lit = light.isDark ? Color(0xF6CF7E) : light.shade(Color(0x51606D), distance: 0.35)
        fillRectangle(x, y, x + 2.5, y + 4, color: lit, opacity: 0.8)
      }
    }
  }

  /// Draws a tree with a round crown and its foot at a point.
  mutating func drawTree(at foot: Point, size: Double, color: Color) {
    fillRectangle(
      foot.x - 1.5, foot.y - size * 0.6, foot.x + 1.5, foot.y,
      color: color.mixed(with: Color(0x2B1E14), 0.7))
    fillDisc(at: Point(foot.x, foot.y - size), radius: size * 0.6, color: color)
    fillDisc(
      at: Point(foot.x - size * 0.2, foot.y - size * 1.15), radius: size * 0.35,
      color: color.mixed(with: Color(0xFFFFFF), 0.12))
  }
}
