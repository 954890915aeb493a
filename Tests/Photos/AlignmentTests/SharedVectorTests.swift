import Encodings
import SystemPackage
import TestSupport
import Testing

@testable import Alignment

/// Compares the alignment with the page's, on pictures and results written by
/// `Tests/Server/Page/vectors.mjs`.
@Suite struct SharedVectorTests {
  /// A pair of pictures, with the page's result.
  private struct Pair {
    var name = ""
    var (width, height, view, picture) = (0, 0, 0, 0)
    var numbers: [String: Double] = [:]
    var reason: String?
    var isLocked = false
    var isBlank = false

    init(_ reader: inout JSONReader) throws {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "name": name = try reader.string()
        case "width": width = Int(try reader.integer())
        case "height": height = Int(try reader.integer())
        case "view": view = Int(try reader.integer())
        case "picture": picture = Int(try reader.integer())
        case "found": try readAnswer(&reader)
        default: try reader.skipValue()
        }
      }
    }

    private mutating func readAnswer(_ reader: inout JSONReader) throws {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "isLocked": isLocked = try reader.boolean()
        case "reason": reason = try reader.skipNull() ? nil : try reader.string()
        case "isDark": try reader.skipValue()
        case "isBlank": isBlank = try reader.boolean()
        case "score" where try reader.skipNull(): break
        default: numbers[key] = try reader.double()
        }
      }
    }
  }

  @Test func `alignment agrees with the page's on the shared vectors, within 1 %`() throws {
    let folder = Repository.folder.appending("Tests/Server/Page/vectors")
    let pixels = try Corpus.contents(of: folder.appending("pictures.grey"))
    var reader = JSONReader(try Corpus.contents(of: folder.appending("pairs.json")))
    try reader.beginArray()
    var count = 0
    while try reader.nextElement() {
      let pair = try Pair(&reader)
      try check(pair, pixels)
      count += 1
    }
    #expect(count >= 10)
  }

  private func check(_ pair: Pair, _ pixels: [UInt8]) throws {
    let size = ComparedSize(width: pair.width, height: pair.height)
    try #require(size.width == pair.width && size.height == pair.height)
    let pictures = try [pair.view, pair.picture].map { start in
      let levels = Array(pixels[start..<start + pair.width * pair.height])
      let grey = try #require(GreyPicture(width: pair.width, height: pair.height, levels: levels))
      return ComparedPicture(of: grey, size: size)
    }
    let found = Aligner(pictures[0]).placement(in: pictures[1])
    #expect(found.isLocked == pair.isLocked, "\(pair.name)")
    #expect(pictures.contains(where: \.isBlank) == pair.isBlank, "\(pair.name)")
    #expect(found.doubt?.rawValue == pair.reason, "\(pair.name)")
    let numbers: [String: Double?] = [
      "turn": found.turnDegrees, "zoom": found.zoom, "dx": found.dx, "dy": found.dy,
      "step": found.step, "alike": found.alike, "rival": found.rival,
      "agreement": found.agreement, "texture": found.texture, "off": found.off,
      "score": found.score,
    ]
    for (name, number) in numbers {
      switch (number, pair.numbers[name]) {
      case (let number?, let expected?):
        #expect(
          abs(number - expected) <= 0.01 * max(abs(expected), 1),
          "\(pair.name), \(name): \(number) is not \(expected)")
      case (nil, nil): #expect(name == "score")
      default: Issue.record("\(pair.name), \(name): \(String(describing: number))")
      }
    }
  }
}
