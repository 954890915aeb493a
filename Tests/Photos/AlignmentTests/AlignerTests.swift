import TestSupport
import Testing

@testable import Alignment

@Suite struct AlignerTests {
  @Test(arguments: Effort.seeds(8))
  func `recovers the shift between two pictures despite a change of brightness`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let scene = Scene(seed: seed)
    let aligner = Aligner(scene.seen().compared)
    for _ in 0..<Effort.scaled(3) {
      let x = Int.random(in: -20...20, using: &random)
      let y = Int.random(in: -14...14, using: &random)
      let found = aligner.placement(in: scene.seen(x: x, y: y) { 40 + $0 / 2 }.compared)
      #expect(found.isLocked && found.doubt == nil, "seed \(seed)")
      #expect(abs(found.dx - Double(x) / 128) < 0.006, "seed \(seed): \(found.dx), \(x)")
      #expect(abs(found.dy - Double(y) / 128) < 0.006, "seed \(seed): \(found.dy), \(y)")
      #expect(abs(found.turnDegrees) < 0.7 && abs(found.zoom - 1) < 0.02, "seed \(seed)")
    }
  }

  @Test(arguments: Effort.seeds(8))
  func `the same view scores ≥ 0.75, one shifted by a tenth < 0.5, another view < 0.25`(
    seed: UInt64
  ) throws {
    let scene = Scene(seed: seed)
    let aligner = Aligner(scene.seen().compared)
    let placements = [scene.seen(), scene.seen(x: 13), Scene(seed: seed + 100).seen()].map {
      aligner.placement(in: $0.compared)
    }
    let scores = try placements.map { try #require($0.score) }
    #expect(scores[0] >= 0.75 && scores[1] < 0.5 && scores[2] < 0.25, "\(scores)")
    #expect(!placements[2].isLocked)
  }

  @Test func `portrait pictures are aligned too`() {
    let scene = Scene(seed: 3, width: 96, height: 128)
    let found = Aligner(scene.seen().compared).placement(in: scene.seen(x: 6, y: -12).compared)
    #expect(found.isLocked)
    // A shift is a fraction of the width, here the shorter side.
    #expect(abs(found.dx - 6.0 / 96) < 0.008 && abs(found.dy + 12.0 / 96) < 0.008)
  }

  @Test(
    arguments: Effort.inputs(
      [(1, 1), (1, 60_000), (60_000, 1), (3, 2), (128, 96), (500, 40)],
      quick: [(1, 60_000), (60_000, 1)]))
  func `a uniform picture has no score, whatever its size`(width: Int, height: Int) throws {
    let levels: [(UInt8, ViewPlacement.Doubt)] = [(0, .dark), (128, .faint)]
    for (level, doubt) in Effort.inputs(levels, quick: [levels[width % 2]]) {
      let levels = [UInt8](repeating: level, count: width * height)
      let flat = try #require(GreyPicture(width: width, height: height, levels: levels)).compared
      let found = Aligner(flat).placement(in: flat)
      #expect(found.doubt == doubt && found.score == nil && !found.isLocked)
      for number in [found.dx, found.dy, found.turnDegrees, found.zoom, found.off, found.step] {
        #expect(number.isFinite)
      }
    }
  }

  @Test(arguments: Effort.seeds(6))
  func `a picture that is cut off or almost plain matches nothing`(seed: UInt64) throws {
    let whole = Scene(seed: seed).seen()
    let other = Scene(seed: seed + 100).seen()
    let plain = try #require(
      GreyPicture(
        width: whole.width, height: whole.height, levels: whole.levels.map { 120 + $0 / 128 }))
    for blank in [try whole.cutOff(), try other.cutOff(), plain] {
      #expect(blank.compared.isBlank && !whole.compared.isBlank && !other.compared.isBlank)
      for picture in [whole, try whole.cutOff(), other, plain] {
        for (view, seen) in [(blank, picture), (picture, blank)] {
          let found = Aligner(view.compared).placement(in: seen.compared)
          #expect(!found.isLocked && found.score == nil && found.doubt == .faint, "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: Effort.seeds(12))
  func `all results are within their bounds for random pictures`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pictures = try (0..<2).map { _ in
      // Noise, noise in blocks, and pictures of two levels.
      let (width, height) = (
        Int.random(in: 1...300, using: &random), Int.random(in: 1...300, using: &random)
      )
      let block = Int.random(in: 1...40, using: &random)
      let isHard = Bool.random(using: &random)
      let tones = (0..<90_000).map { _ -> UInt8 in
        let tone = UInt8.random(in: 0...255, using: &random)
        return isHard ? (tone < 128 ? 0 : 255) : tone
      }
      let levels = (0..<width * height).map { at -> UInt8 in
        let (row, column) = (at / width / block, at % width / block)
        return tones[row * 300 + column]
      }
      return try #require(GreyPicture(width: width, height: height, levels: levels))
    }
    let size = ComparedSize(width: pictures[0].width, height: pictures[0].height)
    let compared = pictures.map { ComparedPicture(of: $0, size: size) }
    for (view, picture) in Effort.inputs([(0, 1), (1, 0), (0, 0)], quick: [(0, 1)]) {
      let found = Aligner(compared[view]).placement(in: compared[picture])
      if let score = found.score { #expect((0...1).contains(score), "seed \(seed)") }
      #expect(found.off >= 0 && found.off.isFinite && found.zoom > 0 && found.zoom.isFinite)
      for share in [found.agreement, found.alike] { #expect((-1.001...1.001).contains(share)) }
      #expect((-180...180).contains(found.turnDegrees) && found.dx.isFinite && found.dy.isFinite)
    }
  }

  @Test func `multiplying two spectra gives the cross-correlation of their fields`() throws {
    let size = 16
    let fourier = Fourier(size: size)
    let spectra = [(3, 4), (8, 6)].map { x, y in
      var values = Fourier.Values(count: size * size)
      values.re[y * size + x] = 1
      fourier.forward(&values)
      return values
    }
    var product = Fourier.Values(count: size * size)
    for at in product.re.indices {
      let (a, b) = (spectra[1].re[at], spectra[1].im[at])
      let (c, d) = (spectra[0].re[at], spectra[0].im[at])
      (product.re[at], product.im[at]) = (a * c + b * d, b * c - a * d)
    }
    fourier.backward(&product)
    #expect(product.re.firstIndex(of: product.re.max()!) == 2 * size + 5)
    #expect(abs(product.re[2 * size + 5] - Double(size * size)) < 1e-9)
  }

  @Test func `a similarity followed by its inverse is the identity`() {
    let map = Similarity(turnDegrees: 7, zoom: 1.1, x: 5, y: -3)
    #expect(abs(map.turnDegrees - 7) < 1e-9 && abs(map.zoom - 1.1) < 1e-9)
    let back = map.followed(by: map.inverse)
    #expect(abs(back.a - 1) < 1e-9 && abs(back.b) < 1e-9)
    #expect(abs(back.x) < 1e-9 && abs(back.y) < 1e-9)
    let shift = Similarity(a: 1, b: 0, x: 12.8, y: 0)
    #expect(abs(shift.meanCornerShift(width: 128, height: 96) - 0.1) < 1e-9)
  }
}
