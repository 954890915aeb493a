extension Canvas {
  mutating func drawOperaHouse(_ light: Light) {
    light.drawSky(on: &self, horizon: 160, sun: Point(56, 52))
    drawRoofs(light, from: 0, to: 120, base: 164, heights: 10...44, seed: 61, distance: 0.45)
    fillHills(at: 154, relief: 4, shape: 1.1, color: light.shade(Color(0x56784E), distance: 0.2))
    let shell = light.isDark ? Color(0xF3DFC4) : light.shade(Color(0xF8F4E8))
    let inside = light.isDark ? Color(0xB08A6A) : light.shade(Color(0xA9A08D))
    let shells = [(112.0, 44.0), (150, 66), (196, 52), (232, 36)]
    for (left, size) in shells {
      let curve = (0...16).map { step -> Point in
        let share = Double(step) / 16
        return Point(left + size * 0.95 * share, 148 - size * (1 - (1 - share) * (1 - share)))
      }
      let back = [Point(left + size * 0.72, 148)]
      fill(curve + back, color: shell)
      fill(
        [
          Point(left + size * 0.95, 148 - size), Point(left + size * 0.84, 148),
          Point(left + size * 0.72, 148),
        ], color: inside)
    }
    fillRectangle(96, 146, 276, 162, color: light.shade(Color(0xB59C83)))
    reflect(below: 162, tint: light.shade(Color(0x2F6489)))
  }

  mutating func drawArchBridge(_ light: Light) {
    light.drawSky(on: &self, horizon: 170, sun: Point(160, 150))
    drawRoofs(light, from: 0, to: width, base: 174, heights: 6...26, seed: 71, distance: 0.5)
    let steel = light.shade(Color(0x5A6068))
    let outer = Self.arc(
      at: Point(160, 156), radius: 118, height: 96, from: 180, to: 360)
    let inner = Self.arc(
      at: Point(160, 160), radius: 116, height: 82, from: 360, to: 180)
    fill(outer + inner, color: steel)
    for step in 1..<14 {
      let x = 42 + Double(step) * 236 / 14
      let share = (x - 160) / 117
      let top = 158 - 86 * (1 - share * share).squareRoot()
      stroke([Point(x, top), Point(x, 140)], width: 1, color: steel)
    }
    fillRectangle(0, 136, width, 143, color: steel)
    for x in [30.0, 270] {
      fillRectangle(x, 96, x + 20, 176, color: light.shade(Color(0xC8B693)))
      fillRectangle(x - 2, 94, x + 22, 99, color: light.shade(Color(0xB39F7A)))
    }
    fillRectangle(0, 170, width, 178, color: light.shade(Color(0x64684F)))
    reflect(below: 178, tint: light.shade(Color(0x44597C)), strength: 0.4)
  }

  mutating func drawTorii(_ light: Light) {
    light.drawSky(on: &self, horizon: 150, sun: Point(160, 60))
    for (index, x) in [10.0, 48, 92, 226, 268, 310].enumerated() {
      let color = light.shade(Color(0x3E6238).mixed(with: Color(0x6E8A3E), Double(index % 3) / 3))
      drawTree(at: Point(x, 196), size: 62 + Double(index % 3) * 14, color: color)
    }
    fillBand(from: 186, to: 240, light.shade(Color(0xB4AB9A)), light.shade(Color(0x8C8474)))
    for size in [0.5, 0.72, 1.0] {
      drawGate(light, size: size)
    }
  }

  private mutating func drawGate(_ light: Light, size: Double) {
    let red = light.shade(Color(0xD4492E), distance: (1 - size) * 0.35)
    let black = light.shade(Color(0x2B2422), distance: (1 - size) * 0.35)
    let (x, base) = (160.0, 178 + 54 * size)
    let (reach, top) = (96 * size, 178 - 132 * size)
    for side in [-1.0, 1] {
      let foot = x + side * reach * 0.8
      let head = x + side * reach * 0.72
      stroke([Point(foot, base), Point(head, top + 6)], width: 11 * size, color: red)
      stroke(
        [Point(foot, base), Point(foot, base - 16 * size)], width: 13 * size, color: black)
    }
    fillRectangle(
      x - reach * 0.9, top + 30 * size, x + reach * 0.9, top + 40 * size, color: red)
    fillRectangle(x - 5 * size, top, x + 5 * size, top + 34 * size, color: red)
    let beam = [
      Point(x - reach * 1.1, top - 10 * size), Point(x, top - 3 * size),
      Point(x + reach * 1.1, top - 10 * size), Point(x + reach * 1.04, top + 8 * size),
      Point(x - reach * 1.04, top + 8 * size),
    ]
    fill(beam, color: red)
    fill(beam.prefix(3) + [Point(x, top + 2 * size)], color: black)
  }

  mutating func drawObservatory(_ light: Light) {
    light.drawSky(on: &self, horizon: 190, sun: Point(240, 58))
    fillHills(at: 178, relief: 6, shape: 5.5, color: light.shade(Color(0x86A559), distance: 0.3))
    fill(
      Self.arc(at: Point(150, 250), radius: 190, height: 74, from: 180, to: 360),
      color: light.shade(Color(0x6E9145)))
    let brick = light.shade(Color(0x9C5B45))
    fillRectangle(112, 126, 196, 180, color: brick)
    fillRectangle(108, 120, 200, 127, color: light.shade(Color(0xE8E0CF)))
    fill(
      Self.arc(at: Point(154, 121), radius: 32, height: 38, from: 180, to: 360),
      color: light.shade(Color(0x7F9A94)))
    fill([Point(160, 84), Point(168, 86), Point(172, 120), Point(162, 120)], color: brick)
    stroke([Point(154, 84), Point(154, 56)], width: 1.4, color: light.shade(Color(0x444444)))
    fillDisc(at: Point(154, 66), radius: 7, color: light.shade(Color(0xC93B35)))
    for x in [122.0, 148, 174] {
      fillRectangle(x, 138, x + 12, 158, color: light.shade(Color(0xF3EEDF)))
    }
    let line = [Point(214, 190), Point(217, 190), Point(240, 240), Point(230, 240)]
    fill(line, color: light.shade(Color(0xD8D2BE)))
  }

  mutating func drawCanal(_ light: Light) {
    light.drawSky(on: &self, horizon: 150, sun: Point(160, 64))
    let walls = [0xC9825B, 0xD9B27A, 0xB5695A, 0xCFA58B, 0xD98F5F]
    for (index, wall) in walls.enumerated() {
      for side in [0.0, 1] {
        let (near, far) = (Double(index) * 26, Double(index + 1) * 26)
        let top = 18 + Double(index) * 20 + (index.isMultiple(of: 2) ? 6 : 0)
        let (left, right) = side == 0 ? (near, far) : (width - far, width - near)
        let color = light.shade(
          Color(walls[(index + Int(side) * 2) % 5]).mixed(with: Color(wall), 0.5))
        fillRectangle(left, top, right, 168, color: color)
        for y in stride(from: top + 10, to: 154, by: 20) {
          fillRectangle(left + 6, y, left + 12, y + 10, color: light.shade(Color(0x44564F)))
          fillRectangle(left + 16, y, left + 22, y + 10, color: light.shade(Color(0x44564F)))
        }
      }
    }
    let bridge =
      Self.arc(at: Point(160, 168), radius: 42, height: 40, from: 180, to: 360)
      + Self.arc(at: Point(160, 168), radius: 30, height: 24, from: 360, to: 180)
    fill(bridge, color: light.shade(Color(0xE4D9C4)))
    reflect(below: 168, tint: light.shade(Color(0x3F7F78)))
    let hull = [
      Point(96, 196), Point(106, 206), Point(206, 206), Point(224, 188), Point(216, 212),
      Point(106, 214),
    ]
    fill(hull, color: Color(0x1F1C1D))
  }

  mutating func drawStillLife() {
    fillBand(from: 0, to: 168, Color(0x6D5C4D), Color(0x8C7861))
    fillBand(from: 168, to: 240, Color(0x9A6B43), Color(0x6F4A2C))
    fillSymmetric(
      around: 118, [(76, 9), (100, 10), (114, 24), (180, 26), (188, 18)], color: Color(0x3B5E6B))
    for (x, y) in [(96.0, 46.0), (118, 34), (142, 48), (108, 62), (130, 64)] {
      stroke([Point(118, 80), Point(x, y)], width: 1.6, color: Color(0x4E6B38))
      fillDisc(at: Point(x, y), radius: 11, color: Color(0xD9A441))
      fillDisc(at: Point(x, y), radius: 5, color: Color(0x7A4A22))
    }
    for (x, color) in [(186.0, 0xB8402F), (214, 0xC9772E), (242, 0x9FAE45)] {
      fillDisc(at: Point(x, 180), radius: 16, color: Color(color))
      fillDisc(at: Point(x - 5, 174), radius: 4, color: Color(0xFFFFFF), opacity: 0.35)
    }
  }

  mutating func drawPainting() {
    fillBand(from: 0, to: 196, Color(0x9C3F3B), Color(0x7E302F))
    fillBand(from: 196, to: 240, Color(0xA77D4F), Color(0x7D5A35))
    fillRectangle(0, 190, width, 198, color: Color(0xE5D9BF))
    fillRectangle(70, 30, 250, 156, color: Color(0xC79A3E))
    fillRectangle(78, 38, 242, 148, color: Color(0x8A6525))
    fillRectangle(84, 44, 236, 142, color: Color(0xE9DFC0))
    fillRectangle(84, 44, 236, 96, color: Color(0x9DBBC9))
    fill(
      [
        Point(84, 104), Point(130, 74), Point(170, 98), Point(206, 80), Point(236, 100),
        Point(236, 142), Point(84, 142),
      ], color: Color(0x6E8A57))
    fill(
      [Point(150, 142), Point(166, 104), Point(172, 104), Point(196, 142)], color: Color(0xD8C391))
    fillDisc(at: Point(206, 62), radius: 8, color: Color(0xF4DFA0))
  }

  mutating func drawOldPortrait() {
    fillBand(from: 0, to: 240, Color(0xE6D7B8), Color(0xD2BE98))
    fillRectangle(18, 14, 302, 226, color: Color(0xB39A72))
    fillBand(from: 20, to: 20, Color(0xB39A72), Color(0xB39A72))
    fill(
      Self.arc(at: Point(160, 120), radius: 104, height: 98, from: 0, to: 360),
      color: Color(0xD9C7A2))
    let sepia = Color(0x5C452C)
    fillHills(at: 182, relief: 5, shape: 2, color: Color(0xA58C62))
    fillRectangle(120, 118, 200, 184, color: Color(0x8A7047))
    fill([Point(110, 120), Point(160, 78), Point(210, 120)], color: sepia)
    fillRectangle(150, 146, 170, 184, color: sepia)
    for x in [128.0, 178] { fillRectangle(x, 130, x + 14, 144, color: Color(0xE3D3AE)) }
    drawTree(at: Point(84, 186), size: 44, color: Color(0x7A6440))
    fillRectangle(0, 0, width, 14, color: Color(0xEFE4CA))
    fillRectangle(0, 226, width, height, color: Color(0xEFE4CA))
    fillRectangle(0, 0, 18, height, color: Color(0xEFE4CA))
    fillRectangle(302, 0, width, height, color: Color(0xEFE4CA))
  }
}
