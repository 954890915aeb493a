import TestSupport
import Testing

@testable import Pictures

@Suite struct SliderTests {
  private let identity = Similarity(scale: 1, x: 0, y: 0)

  private func diptych(_ earlier: Pixels, _ later: Pixels) -> Diptych {
    Diptych(
      earlier: .init(earlier, label: "2008"), later: .init(later, label: "2026"),
      caption: DiptychCaption(places: ["Arezzo"], years: "2008 and 2026"))
  }

  @Test(arguments: 2...8)
  func `LZW codes decode to the encoded values`(bits: Int) throws {
    for seed: UInt64 in 1...5 {
      var generator = SeededGenerator(seed: seed)
      let top = UInt8(truncatingIfNeeded: (1 << bits) - 1)
      // Short, uniform, in runs, and noise that fills the table more than once.
      for count in [0, 1, 2, 3, 255, 9000] {
        let range = seed == 1 ? 0...0 : seed == 2 ? 0...1 : 0...top
        var values = (0..<count).map { _ in UInt8.random(in: range, using: &generator) }
        if seed == 3 { values.sort() }
        let data = LZWCoder.bytes(of: values, bits: bits)
        #expect(try GIFReader.decoded(data, bits: bits) == values, "seed \(seed), \(count)")
      }
    }
  }

  @Test func `a colour table is exact for few colours and close for many`() {
    let few: [UInt8] = [0, 0, 0, 254, 254, 254, 200, 10, 10, 0, 0, 0]
    let table = ColorTable(few, maximumColors: 4)
    let shown = table.indices.flatMap { index in
      [table.colors[Int(index)].red, table.colors[Int(index)].green, table.colors[Int(index)].blue]
    }
    #expect(zip(shown, few).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    let smooth = Scene.smooth(120, 90, identity).rgb
    for colors in [256, 64, 16, 4] {
      let table = ColorTable(smooth, maximumColors: colors)
      #expect(table.colors.count == colors && table.indices.count == 120 * 90)
      let error = table.indices.enumerated().reduce(0) { sum, entry in
        let color = table.colors[Int(entry.element)]
        let pixel = smooth[entry.offset * 3..<entry.offset * 3 + 3].map { Int($0) }
        return sum + abs(Int(color.red) - pixel[0]) + abs(Int(color.green) - pixel[1])
          + abs(Int(color.blue) - pixel[2])
      }
      #expect(error / (120 * 90 * 3) <= 400 / colors + 4, "\(colors)")
    }
    #expect(ColorTable([], maximumColors: 256).colors.count == 1)
  }

  @Test func `the seam sweeps to both ends and back, and each frame shows its position`() throws {
    let layout = SliderLayout(width: 108, height: 80, band: 20)
    let pair = diptych(
      Scene.smooth(100, 80, identity), Scene.smooth(90, 90, .init(scale: 2, x: 500, y: 90)))
    let file = pair.slider(layout, limit: .max)
    let gif = try GIFReader(file)
    #expect([gif.width, gif.height, gif.repetitions] == [108, 80, 0])
    let frames = SliderFrames(pair, layout)
    let seams = frames.seams
    #expect(seams.first == 54 && seams.last == 54 && seams.contains(110) && seams.contains(-2))
    #expect(gif.frames.count == seams.count)
    var worst = 0
    for (seam, shown) in zip(seams, gif.canvases) {
      let expected = frames.canvas(seam: seam)
      for (place, color) in shown.enumerated() {
        let pixel = expected.rgb[place * 3..<place * 3 + 3]
        worst = max(worst, zip(color, pixel).map { abs(Int($0) - Int($1)) }.max() ?? 0)
      }
    }
    #expect(worst <= 40)
    // Each strip has its own colour table.
    for frame in gif.frames.dropFirst() {
      #expect(frame.width <= layout.step + 4 && frame.height == 60)
    }
    #expect(gif.frames.reduce(0) { $0 + $1.width } < 108 * 3 + 5 * gif.frames.count)
    #expect(Set(gif.frames.map(\.hundredths)) == [4, 120])
  }

  @Test func `at each end of the sweep one picture is fully visible`() throws {
    let layout = SliderLayout(width: 54, height: 40, band: 0)
    let pair = Diptych(
      earlier: .init(Scene.plain(9, 9, Color(red: 0, green: 200, blue: 0)), label: nil),
      later: .init(Scene.plain(9, 9, Color(red: 0, green: 0, blue: 200)), label: nil))
    let gif = try GIFReader(pair.slider(layout, limit: .max))
    let seams = SliderFrames(pair, layout).seams
    for (seam, canvas) in zip(seams, gif.canvases) where [-2, 56].contains(seam) {
      let expected: [UInt8] = seam < 0 ? [0, 0, 201] : [0, 201, 0]
      #expect(
        canvas.allSatisfy { color in
          zip(color, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
        }, "seam \(seam)")
    }
    #expect(gif.canvases.first == gif.canvases.last)
  }

  @Test func `a slider above the size limit uses fewer colours`() throws {
    let layout = SliderLayout(width: 108, height: 80, band: 0)
    let pair = diptych(Scene.noise(200, 150, seed: 1), Scene.noise(200, 150, seed: 2))
    let free = pair.slider(layout, limit: .max)
    let limit = free.count * 3 / 4
    let bounded = pair.slider(layout, limit: limit)
    #expect(bounded.count <= limit)
    #expect(try GIFReader(bounded).frames.count == GIFReader(free).frames.count)
  }

  @Test func `a slider of noise stays below the size limit`() throws {
    // A sixteenth of the pixels, and of the size limit.
    let layout = SliderLayout(width: 135, height: 169, band: 0)
    let file = diptych(Scene.noise(70, 84, seed: 1), Scene.noise(135, 169, seed: 2))
      .slider(layout, limit: Diptych.longestSlider / 16)
    #expect(file.count <= Diptych.longestSlider / 16)
    let gif = try GIFReader(file)
    #expect([gif.width, gif.height] == [135, 169])
    let size = SliderLayout(.portrait, hasCaption: true)
    #expect([size.width, size.height] == [540, 675])
  }

  @Test func `identical pictures give identical files`() {
    let layout = SliderLayout(width: 54, height: 40, band: 10)
    let pair = diptych(Scene.noise(60, 40, seed: 1), Scene.smooth(60, 40, identity))
    #expect(pair.slider(layout, limit: .max) == pair.slider(layout, limit: .max))
  }
}
