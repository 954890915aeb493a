import TestSupport
import Testing

@testable import Pictures

@Suite struct DiptychTests {
  private let green = Color(red: 0, green: 200, blue: 0)
  private let blue = Color(red: 0, green: 0, blue: 200)

  private func diptych(
    _ earlier: Pixels, _ later: Pixels, _ caption: DiptychCaption? = nil,
    _ alignment: PictureAlignment? = nil
  ) -> Diptych {
    Diptych(
      earlier: .init(earlier, label: caption == nil ? nil : "2008"),
      later: .init(later, label: caption == nil ? nil : "2026"), caption: caption,
      alignment: alignment)
  }

  private let caption = DiptychCaption(places: ["Arezzo"], years: "2008 and 2026")

  @Test func `pictures lie side by side or one above the other, with the caption below`() {
    let pair = diptych(Scene.plain(40, 30, green), Scene.plain(30, 40, blue), caption)
    let landscape = pair.picture(.landscape)
    #expect([landscape.width, landscape.height] == [1200, 630])
    #expect(landscape.color(300, 300) == [0, 200, 0] && landscape.color(900, 300) == [0, 0, 200])
    let portrait = pair.picture(.portrait)
    #expect([portrait.width, portrait.height] == [1080, 1350])
    #expect(portrait.color(500, 400) == [0, 200, 0] && portrait.color(500, 900) == [0, 0, 200])
    for picture in [landscape, portrait] {
      let band = (picture.height - 66..<picture.height).flatMap { row in
        (0..<picture.width).map { picture.color($0, row) }
      }
      #expect(band.contains([255, 255, 255]) && band.contains([0x14, 0x18, 0x1B]))
      #expect(!band.contains([0, 200, 0]))
    }
  }

  @Test func `years are drawn in the corners`() {
    let pair = diptych(Scene.plain(40, 30, green), Scene.plain(30, 40, blue), caption)
    let picture = pair.picture(.landscape)
    for left in [0, 603] {
      let corner = (18..<70).flatMap { row in
        (left + 18..<left + 130).map { picture.color($0, row) }
      }
      #expect(corner.contains([255, 255, 255]), "\(left)")
    }
  }

  @Test func `without a caption only the pictures are drawn`() {
    let picture = diptych(Scene.plain(9, 9, green), Scene.plain(9, 9, blue)).picture(.landscape)
    let colors = Set(
      stride(from: 0, to: picture.height, by: 7).flatMap { row in
        (0..<picture.width).map { picture.color($0, row) }
      })
    #expect(colors == [[0, 200, 0], [0, 0, 200], [0x14, 0x18, 0x1B]])
    #expect(picture.color(10, 629) == [0, 200, 0])
  }

  @Test func `a caption that cannot be drawn takes no space`() {
    let caption = DiptychCaption(places: ["東京"], years: nil)
    let picture = diptych(Scene.plain(9, 9, green), Scene.plain(9, 9, blue), caption)
      .picture(.portrait)
    #expect(picture.color(500, 1349) == [0, 0, 200])
  }

  @Test(arguments: [
    (4000, 3000, 4000, 3000, Diptych.Shape.landscape), (3000, 4000, 3000, 4000, .landscape),
    (1920, 1080, 1920, 1080, .portrait), (3000, 2000, 3000, 2000, .portrait),
    (5000, 1000, 5000, 1000, .portrait), (100, 100, 100, 100, .landscape),
  ])
  func `the suitable shape is the one that shows more of the pictures`(
    width: Int, height: Int, otherWidth: Int, otherHeight: Int, shape: Diptych.Shape
  ) {
    let pair = diptych(
      Scene.plain(width / 20, height / 20), Scene.plain(otherWidth / 20, otherHeight / 20), caption)
    #expect(pair.suitingShape == shape)
  }

  @Test(arguments: [(1, 1), (1, 2048), (2048, 1), (2, 3)])
  func `pictures one pixel wide or high are drawn`(width: Int, height: Int) {
    for shape in Effort.inputs(
      Array(Diptych.Shape.allCases), quick: [width > height ? .landscape : .portrait])
    {
      let picture = diptych(
        Scene.plain(width, height, green), Scene.plain(30, 40, blue), caption,
        PictureAlignment(turnDegrees: 3, zoom: 1.1, right: 0.1, down: 0)
      ).picture(shape)
      let box = DiptychLayout(shape, hasCaption: true).earlier
      #expect(picture.color(box.x + box.width / 2, box.y + box.height / 2) == [0, 200, 0])
    }
  }

  @Test func `downscaling preserves the mean brightness`() {
    let rgb = (0..<300 * 300).flatMap { place -> [UInt8] in
      (place / 300 + place % 300) % 2 == 0 ? [255, 255, 255] : [0, 0, 0]
    }
    var canvas = Canvas(width: 60, height: 60, .black)
    canvas.draw(
      Pixels(width: 300, height: 300, rgb: rgb),
      in: Box(x: 0, y: 0, width: 60, height: 60), Similarity(scale: 5, x: 0, y: 0))
    // Of 25 pixels 12 or 13 are white.
    #expect(canvas.rgb.allSatisfy { (121...134).contains($0) })
  }

  @Test func `drawing without scaling preserves the pixels`() {
    let noise = Scene.noise(50, 40, seed: 3)
    var canvas = Canvas(width: 50, height: 40, .black)
    canvas.draw(
      noise, in: Box(x: 0, y: 0, width: 50, height: 40), Similarity(scale: 1, x: 0, y: 0))
    #expect(canvas.pixels == noise)
    // A quarter turn about the corner.
    canvas.draw(
      noise, in: Box(x: 0, y: 0, width: 40, height: 40),
      Similarity(turnDegrees: 90, zoom: 1, x: 40, y: 0))
    #expect(canvas.pixels.color(3, 5) == noise.color(34, 3))
  }

  // MARK: - Alignment

  @Test func `aligned pictures show the same view`() throws {
    for seed in Effort.inputs(Array(1...4), quick: [1, 2]) as [UInt64] {
      var generator = SeededGenerator(seed: seed)
      let alignment = try #require(
        PictureAlignment(
          turnDegrees: .random(in: -6...6, using: &generator),
          zoom: .random(in: 0.85...1.2, using: &generator),
          right: .random(in: -0.1...0.1, using: &generator),
          down: .random(in: -0.1...0.1, using: &generator)))
      let (width, height) = seed % 2 == 0 ? (320, 240) : (240, 320)
      let identity = Similarity(scale: 1, x: 0, y: 0)
      let earlier = Scene.smooth(width, height, identity)
      // The later picture has other proportions and more pixels, and shows the scene as the
      // alignment maps it.
      let blank = Scene.plain(500, 420)
      let back = try #require(alignment.map(from: earlier, to: blank).inverse)
      let later = Scene.smooth(500, 420, back)
      let picture = diptych(earlier, later, nil, alignment).picture(.landscape)
      let layout = DiptychLayout(.landscape, hasCaption: false)
      var worst = 0
      for y in stride(from: 0, to: layout.earlier.height, by: 17) {
        for x in stride(from: 0, to: layout.earlier.width, by: 17) {
          let (one, other) = (
            picture.color(x, y), picture.color(layout.later.x + x, layout.later.y + y)
          )
          worst = max(worst, zip(one, other).map { abs($0 - $1) }.max() ?? 0)
        }
      }
      #expect(worst <= 6, "seed \(seed)")
    }
  }

  @Test func `the crop lies inside both aligned pictures`() throws {
    for seed in Effort.seeds(200) {
      var generator = SeededGenerator(seed: seed)
      let alignment = try #require(
        PictureAlignment(
          turnDegrees: .random(in: -45...45, using: &generator),
          zoom: .random(in: 0.25...4, using: &generator),
          right: .random(in: -1...1, using: &generator),
          down: .random(in: -1...1, using: &generator)))
      let sides = (0..<4).map { _ in Int.random(in: 1...400, using: &generator) }
      let (earlier, later) = (Scene.plain(sides[0], sides[1]), Scene.plain(sides[2], sides[3]))
      let crop = PairCrop(earlier, later, alignment, width: 597, height: 558)
      for (map, picture) in [(crop.earlier, earlier), (crop.later, later)] {
        for (x, y) in [(0.0, 0.0), (597, 0), (0, 558), (597, 558)] {
          let place = map.transformed(x, y)
          #expect((-0.01...Double(picture.width) + 0.01).contains(place.x), "seed \(seed)")
          #expect((-0.01...Double(picture.height) + 0.01).contains(place.y), "seed \(seed)")
        }
      }
    }
  }

  @Test func `pictures with little overlap are cropped independently`() throws {
    let (earlier, later) = (Scene.plain(300, 200), Scene.plain(300, 200))
    let far = try #require(PictureAlignment(turnDegrees: 0, zoom: 1, right: 0.9, down: 0))
    let alone = PairCrop(earlier, later, nil, width: 100, height: 100)
    let crop = PairCrop(earlier, later, far, width: 100, height: 100)
    #expect(crop.earlier == alone.earlier && crop.later == alone.later)
    #expect(crop.earlier.transformed(50, 50) == (150, 100))
    let same = try #require(PictureAlignment(turnDegrees: 0, zoom: 1, right: 0, down: 0))
    let laid = PairCrop(earlier, later, same, width: 100, height: 100)
    #expect(abs(laid.earlier.scale - alone.earlier.scale) < 0.001)
  }

  @Test func `rejects an alignment outside the range that the aligner finds`() {
    for (turn, zoom, right, down) in [
      (46.0, 1.0, 0.0, 0.0), (0, 0.2, 0, 0), (0, 5, 0, 0), (0, 1, 1.1, 0), (0, 1, 0, -1.1),
      (.nan, 1, 0, 0), (0, .infinity, 0, 0),
    ] {
      #expect(
        PictureAlignment(turnDegrees: turn, zoom: zoom, right: right, down: down) == nil)
    }
  }
}

extension Similarity {
  /// The inverse similarity.
  fileprivate var inverse: Similarity? {
    let square = a * a + b * b
    guard square > 0 else { return nil }
    var back = self
    (back.a, back.b, back.e, back.f) = (a / square, -b / square, 0, 0)
    let shift = back.transformed(e, f)
    (back.e, back.f) = (-shift.x, -shift.y)
    return back
  }
}
