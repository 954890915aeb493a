import SystemPackage
import TestSupport
import Testing

@testable import Encodings

@Suite struct QRCodeTests {
  /// A code made by other programs.
  private struct Golden {
    let version: Int
    let bytes: [UInt8]
    let modules: [UInt8]

    static func all() throws -> [Golden] {
      let path = Repository.folder.appending("Tests/Base/EncodingsTests/Golden/qr-codes.txt")
      let text = String(decoding: try Corpus.contents(of: path), as: UTF8.self)
      var all: [Golden] = []
      for line in text.split(separator: "\n") where line.first != "#" {
        let parts = line.split(separator: " ")
        let version = try #require(Int(parts[0]))
        let content = parts[2] == "-" ? [] : bytes(parts[2])
        all.append(Golden(version: version, bytes: content, modules: bytes(parts[3])))
      }
      return all
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
      let values = digits.utf8.compactMap { Hexadecimal.value(ofDigit: $0) }
      return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
  }

  /// The modules of a code, a bit each.
  private func modules(_ code: QRCode) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (code.size * code.size + 7) / 8)
    for place in 0..<code.size * code.size
    where code.isDark(row: place / code.size, column: place % code.size) {
      bytes[place / 8] |= 0x80 >> UInt8(place % 8)
    }
    return bytes
  }

  @Test func `codes of all versions are those that other programs make, module by module`() throws {
    let all = try Golden.all()
    #expect(Set(all.map(\.version)) == Set(1...15))
    for golden in all {
      let code = try #require(QRCode(golden.bytes))
      #expect(code.size == 17 + 4 * golden.version)
      #expect(modules(code) == golden.modules, "version \(golden.version)")
    }
  }

  @Test func `the address of a page with a code has 33 modules`() {
    let link = "https://192.168.178.120:8090/#pair=K7Q2MX9RT4HD&phone"
    #expect(QRCode(Array(link.utf8))?.size == 33)
  }

  @Test func `more bytes than version 15 holds make no code`() {
    #expect(QRCode([UInt8](repeating: 65, count: QRCode.maximumByteCount))?.size == 77)
    #expect(QRCode([UInt8](repeating: 65, count: QRCode.maximumByteCount + 1)) == nil)
    #expect(QRCode([UInt8](repeating: 65, count: 1 << 17)) == nil)
  }

  @Test func `a path has the dark modules, moved by the border`() throws {
    let code = try #require(QRCode(Array("a".utf8)))
    var area = 0
    for part in code.path.split(separator: "M") {
      let match = try #require(part.wholeMatch(of: #/(\d+) (\d+)h(\d+)v1h-(\d+)z/#))
      let numbers = try [match.1, match.2, match.3].map { try #require(Int($0)) }
      #expect(match.3 == match.4)
      for column in numbers[0]..<numbers[0] + numbers[2] {
        #expect(code.isDark(row: numbers[1] - 4, column: column - 4))
      }
      area += numbers[2]
    }
    #expect(area == modules(code).reduce(0) { $0 + $1.nonzeroBitCount })
  }
}
