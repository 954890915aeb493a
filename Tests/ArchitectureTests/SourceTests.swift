import SystemPackage
import TestSupport
import Testing

/// Checks the text of every source file against rules that the compiler does not enforce.
@Suite struct SourceTests {
  /// A line of a source file below `Sources`.
  private struct Line: Sendable {
    let file: String
    let number: Int
    let text: Substring
  }

  /// The source files. They are read once, since reading takes longer than most checks.
  private static let files = Result { () throws -> [(name: String, content: [UInt8])] in
    try Corpus.paths(under: Repository.sources).filter { $0.extension == "swift" }.map { path in
      (Repository.name(ofSource: path), try Corpus.contents(of: path))
    }
  }

  /// The lines of all source files, without comments.
  private static let lines = Result { () throws -> [Line] in
    try files.get().flatMap { name, content in
      String(decoding: content, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .map { Line(file: name, number: $0 + 1, text: withoutComment($1)) }
    }
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
  }

  @Test func `comments are at most 100 columns wide`() throws {
    let tests = Repository.folder.appending("Tests")
    let paths = Corpus.paths(under: Repository.sources) + Corpus.paths(under: tests)
    let written = paths.filter { path in
      ["swift", "c", "h", "js", "mjs"].contains(path.extension)
        // Files installed next to the tests by tools are ignored.
        && !path.string.contains("/node_modules/")
    }
    #expect(written.count > 500)
    for path in written {
      let lines = try Corpus.contents(of: path).split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      // A quick check by bytes, since few lines have more than 100.
      for (number, bytes) in lines.enumerated() where bytes.count > 100 {
        let line = String(decoding: bytes, as: UTF8.self)
        let text = line.drop { $0 == " " }
        guard ["//", "/*", "*"].contains(where: text.hasPrefix) else { continue }
        #expect(line.count <= 100, "\(path):\(number + 1)")
      }
    }
  }

  @Test func `every module shadows the conversions that can trap`() throws {
    let files = try Self.files.get()
    let original = try #require(files.first { $0.name == "Encodings/WholeNumbers.swift" })
    let modules = Set(files.compactMap { $0.name.split(separator: "/").first.map(String.init) })
    #expect(modules.count > 10)
    for module in modules {
      let copy = files.first { $0.name == "\(module)/WholeNumbers.swift" }
      #expect(copy?.content == original.content, "\(module) lacks the link WholeNumbers.swift")
    }
    // Each type has a deprecated conversion, which is an error since warnings are errors.
    let text = String(decoding: original.content, as: UTF8.self)
    for type in ["Int", "UInt"].flatMap({ name in
      ["", "8", "16", "32", "64", "128"].map { name + $0 }
    }) {
      #expect(text.contains("extension \(type) {\n  /// Shadows"), "\(type)")
    }
    #expect(text.components(of: "@available(*, deprecated").count - 1 == 14)
  }

  /// Conversions of floating-point values that the deprecated overloads do not cover.
  private static let unseenConversions = [
    "Swift::init", "numericCast", "lround", "lrint", "Float16", "Float80", "CGFloat",
    "BinaryFloatingPoint", "some FloatingPoint", ": FloatingPoint",
  ]

  /// Files that compare 32-bit values, and convert only bit patterns to integers.
  private static let floatFiles: Set = [
    "Spatial/BoxTree+Distances.swift", "Spatial/FlatSpot.swift",
  ]

  @Test func `files that compare Float values convert none to an integer`() throws {
    let conversion = /Int\d*\((?!truncatingIfNeeded:|bitPattern:)/
    for line in try Self.lines.get() where Self.floatFiles.contains(line.file) {
      #expect(!line.text.contains(conversion), "\(line.file):\(line.number)")
    }
    #expect("Int32(square)".contains(conversion) && !"UInt32(bitPattern: x)".contains(conversion))
  }

  @Test func `no file converts floating-point values in a way that the compiler does not check`()
    throws
  {
    let words = Self.unseenConversions + ["Float"]
    let files = Set(try Self.files.get().filter { $0.content.contains(anyOf: words) }.map(\.name))
    for line in try Self.lines.get()
    where files.contains(line.file) && !line.file.hasSuffix("/WholeNumbers.swift") {
      for word in Self.unseenConversions where line.text.contains(word) {
        Issue.record("\(line.file):\(line.number): \(word); use init(saturating:)")
      }
      guard !Self.floatFiles.contains(line.file) else { continue }
      // A Float is decoded from its bits, as in EXIF, and used as a Double.
      let floats = line.text.replacing("Double(Float(bitPattern:", with: "")
      if floats.contains("Float(") || floats.contains("Float ") || floats.contains(": Float") {
        Issue.record("\(line.file):\(line.number): a Float, whose conversions nobody finds")
      }
    }
  }

  @Test func `unchecked conversions occur only in files that bound their numbers`() throws {
    let known: Set = [
      "Alignment/EdgeField.swift", "Encodings/JSONWriter+Decimals.swift",
      "Encodings/JSONWriter.swift",
      "Spatial/CurveOrder.swift", "Spatial/EvenGrid.swift", "Spatial/FixedAngle.swift",
      "Spatial/GridCell.swift", "Spatial/NeighborOrder.swift", "SpotMap/PinGrid.swift",
    ]
    let found = Set(
      try Self.lines.get().filter {
        $0.text.contains("bounded:") && !$0.file.hasSuffix("/WholeNumbers.swift")
      }.map(\.file))
    #expect(found == known)
  }

  /// Files that write degrees with full precision: the index and the pages stored for it, and the
  /// properties of a single photo.
  private static let exactDegrees: Set = [
    "PhotoLibrary/PhotoIndex+JSON.swift", "photospots/InspectCommand.swift",
    "RemoteLibraries/WalkSpool.swift",
  ]

  @Test func `degrees are written rounded, except in the listed files`() throws {
    for line in try Self.lines.get() where !Self.exactDegrees.contains(line.file) {
      if Self.writesDegrees(line.text) {
        Issue.record("\(line.file):\(line.number): write degrees with Degrees or degrees:")
      }
    }
    for text in [
      #"writer.member("latitude", spot.coordinate.latitude)"#, #"writer.number(fix.longitude)"#,
      #"" lon=\"\(fix.longitude)\">""#, #""\(place.latitude),""#,
    ] { #expect(Self.writesDegrees(text[...]), "\(text)") }
    for text in [
      #"writer.member("latitude", degrees: spot.coordinate.latitude)"#,
      #"\(Degrees.text(fix.longitude))"#, #"case "latitude": latitude = try reader.double()"#,
    ] { #expect(!Self.writesDegrees(text[...]), "\(text)") }
  }

  /// Returns whether a line writes a latitude or longitude without rounding.
  private static func writesDegrees(_ text: Substring) -> Bool {
    ["latitude", "longitude"].contains { name in
      text.contains(".\(name))") && (text.contains("\\(") || text.contains(".number("))
        && !["Degrees.text", "degrees:", "Fixed.text", "PlainNumber.text"].contains {
          text.contains($0)
        }
        || text.contains("member(\"\(name)\", ") && !text.contains("degrees:")
    }
  }
}

extension String {
  fileprivate func components(of separator: String) -> [Substring] { split(separator: separator) }
}
