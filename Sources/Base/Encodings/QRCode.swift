/// A QR code that holds bytes (ISO/IEC 18004:2015), of the smallest possible version up to 15.
///
/// The bytes are in byte mode, without a statement of their character set: readers take them for
/// UTF-8, of which ASCII is a part. The error correction level is M, which restores 15 % of the
/// codewords.
package struct QRCode: Hashable, Sendable {
  /// The maximum number of bytes: those of a code of version 15.
  package static let maximumByteCount = 412
  /// The width in modules of the light border that a code needs (clause 6.3.8).
  package static let borderWidth = 4

  /// The number of modules in a row and in a column, without the border: 21 to 77.
  package let size: Int

  private var modules: [Bool]
  /// Whether a module belongs to a pattern, the format or the version, so that it is not masked.
  private var isFixed: [Bool]

  /// Creates a code.
  ///
  /// - Parameter bytes: The content. The result is `nil` for more than ``maximumByteCount`` bytes.
  /// - Complexity: O(*m*), where *m* is the number of modules.
  package init?(_ bytes: [UInt8]) {
    guard let version = Version.all.first(where: { $0.byteCapacity >= bytes.count }) else {
      return nil
    }
    size = version.size
    modules = Array(repeating: false, count: size * size)
    isFixed = modules
    drawPatterns(version)
    draw(version.codewords(of: version.data(of: bytes)))
    let candidates = (0..<8).map { masked(by: $0) }
    let penalties = candidates.map(\.penalty)
    guard let mask = penalties.indices.min(by: { penalties[$0] < penalties[$1] }) else {
      preconditionFailure("there are eight masks")
    }
    modules = candidates[mask].modules
    drawFormat(mask: mask)
    if version.number >= 7 { drawVersion(version.number) }
  }

  /// Returns whether a module is dark; modules outside of the code are light.
  package func isDark(row: Int, column: Int) -> Bool {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
    return modules[row * size + column]
  }

  /// The dark modules as the data of an SVG path, a rectangle for each run of a row. A module has
  /// the size 1, and the border is included, so that the code has the size `size + 8`.
  package var path: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        guard isDark(row: row, column: column) else {
          column += 1
          continue
        }
        let start = column
        while isDark(row: row, column: column) { column += 1 }
        let length = column - start
        path += "M\(start + Self.borderWidth) \(row + Self.borderWidth)h\(length)v1h-\(length)z"
      }
    }
    return path
  }

  // MARK: - Patterns

  /// Draws a module that is not masked.
  private mutating func fix(_ row: Int, _ column: Int, isDark: Bool = false) {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return }
    modules[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  /// Draws the finder, timing and alignment patterns (clauses 6.3.3 to 6.3.6), and reserves the
  /// modules of the format and of the version.
  private mutating func drawPatterns(_ version: Version) {
    for place in 0..<size {
      fix(6, place, isDark: place.isMultiple(of: 2))
      fix(place, 6, isDark: place.isMultiple(of: 2))
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
      drawSquares(row, column, radius: 4) { $0 != 2 && $0 != 4 }
    }
    let centers = version.alignmentCenters
    for row in centers {
      for column in centers where !isFixed[row * size + column] || row == 6 || column == 6 {
        // Three corners have finder patterns.
        guard (row, column) != (6, 6), (row, column) != (6, size - 7),
          (row, column) != (size - 7, 6)
        else { continue }
        drawSquares(row, column, radius: 2) { $0 != 1 }
      }
    }
    for place in 0..<9 {
      if place != 6 {
        fix(8, place)
        fix(place, 8)
      }
      if place < 8 {
        fix(8, size - 1 - place)
        fix(size - 1 - place, 8)
      }
    }
    guard version.number >= 7 else { return }
    for place in 0..<18 {
      fix(place / 3, size - 11 + place % 3)
      fix(size - 11 + place % 3, place / 3)
    }
  }

  /// Draws concentric squares; `isDark` takes the distance from the center.
  private mutating func drawSquares(
    _ row: Int, _ column: Int, radius: Int, isDark: (Int) -> Bool
  ) {
    for place in 0..<(2 * radius + 1) * (2 * radius + 1) {
      let (down, right) = (place / (2 * radius + 1) - radius, place % (2 * radius + 1) - radius)
      fix(row + down, column + right, isDark: isDark(max(abs(down), abs(right))))
    }
  }

  /// Draws the level, the mask and their error correction, twice (clause 7.9.1).
  private mutating func drawFormat(mask: Int) {
    // The level M is 00. The code is BCH (15, 5), and the result is never all zero.
    var rest = mask << 10
    for place in stride(from: 14, through: 10, by: -1) where rest >> place & 1 == 1 {
      rest ^= 0x537 << (place - 10)
    }
    let format = (mask << 10 | rest) ^ 0x5412
    for place in 0..<15 {
      let isDark = format >> place & 1 == 1
      // The column and the row beside the timing patterns, which they skip.
      let first = place < 6 ? place : place < 8 ? place + 1 : size - 15 + place
      let second = place < 8 ? size - 1 - place : place == 8 ? 7 : 14 - place
      fix(first, 8, isDark: isDark)
      fix(8, second, isDark: isDark)
    }
    fix(size - 8, 8, isDark: true)
  }

  /// Draws the version and its error correction, twice (clause 7.10).
  private mutating func drawVersion(_ number: Int) {
    // The code is BCH (18, 6).
    var rest = number << 12
    for place in stride(from: 17, through: 12, by: -1) where rest >> place & 1 == 1 {
      rest ^= 0x1F25 << (place - 12)
    }
    let bits = number << 12 | rest
    for place in 0..<18 {
      let isDark = bits >> place & 1 == 1
      fix(place / 3, size - 11 + place % 3, isDark: isDark)
      fix(size - 11 + place % 3, place / 3, isDark: isDark)
    }
  }

  // MARK: - Data

  /// Draws codewords into the modules that are not fixed: upward and downward in turns, in columns
  /// of two modules from the right (clause 7.7.3).
  private mutating func draw(_ codewords: [UInt8]) {
    var place = 0
    var goesUp = true
    // Columns skip the vertical timing pattern.
    for right in Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
      for step in 0..<size {
        let row = goesUp ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] {
          guard place < 8 * codewords.count else { break }
          modules[row * size + column] = codewords[place / 8] >> (7 - place % 8) & 1 == 1
          place += 1
        }
      }
      goesUp.toggle()
    }
  }

  /// Returns the code with a mask over all modules that are not fixed (clause 7.8.2, table 10).
  private func masked(by mask: Int) -> QRCode {
    var code = self
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] {
        let (sum, product) = (row + column, row * column)
        let isInverted =
          switch mask {
          case 0: sum % 2 == 0
          case 1: row % 2 == 0
          case 2: column % 3 == 0
          case 3: sum % 3 == 0
          case 4: (row / 2 + column / 3) % 2 == 0
          case 5: product % 2 + product % 3 == 0
          case 6: (product % 2 + product % 3) % 2 == 0
          default: (sum % 2 + product % 3) % 2 == 0
          }
        if isInverted { code.modules[row * size + column].toggle() }
      }
    }
    return code
  }

  /// The points by which a mask is worse than others (clause 7.8.3.1, table 11).
  private var penalty: Int {
    var penalty = 0
    for line in 0..<size {
      for isRow in [true, false] {
        let modules = (0..<size).map {
          isRow ? isDark(row: line, column: $0) : isDark(row: $0, column: line)
        }
        penalty += Self.penalty(of: modules)
      }
    }
    for row in 1..<size {
      for column in 1..<size {
        let isFirst = isDark(row: row, column: column)
        let isBlock = [(row, column - 1), (row - 1, column), (row - 1, column - 1)]
          .allSatisfy { isDark(row: $0.0, column: $0.1) == isFirst }
        if isBlock { penalty += 3 }
      }
    }
    let darkCount = modules.count { $0 }
    // Each whole 5 % away from a half.
    return penalty + 10 * (abs(20 * darkCount - 10 * modules.count) / modules.count)
  }

  /// The points of a row or column for its runs, and for what looks like a finder pattern beside
  /// four light modules, such as those of the border.
  private static func penalty(of line: [Bool]) -> Int {
    var penalty = 0
    var length = 0
    for place in line.indices {
      length = place > 0 && line[place] == line[place - 1] ? length + 1 : 1
      if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    var start = 0
    while start + finder.count <= line.count {
      guard line[start..<start + finder.count].elementsEqual(finder) else {
        start += 1
        continue
      }
      let end = start + finder.count
      let isBesideLight =
        !line[max(0, start - 4)..<start].contains(true)
        || !line[end..<min(line.count, end + 4)].contains(true)
      if isBesideLight { penalty += 40 }
      start += isBesideLight ? finder.count : 4
    }
    return penalty
  }
}

/// A version of QR codes at level M.
private struct Version {
  /// The number, which determines the size.
  let number: Int
  /// The number of codewords for error correction in each block (table 9).
  let correctionCount: Int
  /// The number of blocks (table 9).
  let blockCount: Int
  /// The rows, and columns, of the centers of alignment patterns (annex E).
  let alignmentCenters: [Int]

  static let all: [Version] = [
    Version(number: 1, correctionCount: 10, blockCount: 1, alignmentCenters: []),
    Version(number: 2, correctionCount: 16, blockCount: 1, alignmentCenters: [6, 18]),
    Version(number: 3, correctionCount: 26, blockCount: 1, alignmentCenters: [6, 22]),
    Version(number: 4, correctionCount: 18, blockCount: 2, alignmentCenters: [6, 26]),
    Version(number: 5, correctionCount: 24, blockCount: 2, alignmentCenters: [6, 30]),
    Version(number: 6, correctionCount: 16, blockCount: 4, alignmentCenters: [6, 34]),
    Version(number: 7, correctionCount: 18, blockCount: 4, alignmentCenters: [6, 22, 38]),
    Version(number: 8, correctionCount: 22, blockCount: 4, alignmentCenters: [6, 24, 42]),
    Version(number: 9, correctionCount: 22, blockCount: 5, alignmentCenters: [6, 26, 46]),
    Version(number: 10, correctionCount: 26, blockCount: 5, alignmentCenters: [6, 28, 50]),
    Version(number: 11, correctionCount: 30, blockCount: 5, alignmentCenters: [6, 30, 54]),
    Version(number: 12, correctionCount: 22, blockCount: 8, alignmentCenters: [6, 32, 58]),
    Version(number: 13, correctionCount: 22, blockCount: 9, alignmentCenters: [6, 34, 62]),
    Version(number: 14, correctionCount: 24, blockCount: 9, alignmentCenters: [6, 26, 46, 66]),
    Version(number: 15, correctionCount: 24, blockCount: 10, alignmentCenters: [6, 26, 48, 70]),
  ]

  var size: Int { 17 + 4 * number }

  /// The number of all codewords: the modules that are not fixed, in whole bytes.
  private var codewordCount: Int {
    let (finders, timing, format) = (3 * 64, 2 * (size - 16), 31)
    let centers = alignmentCenters.count
    // Those on the timing patterns share five modules with them.
    let alignment = centers > 0 ? 25 * (centers * centers - 3) - 10 * (centers - 2) : 0
    let fixed = finders + timing + format + alignment + (number >= 7 ? 36 : 0)
    return (size * size - fixed) / 8
  }

  private var dataCount: Int { codewordCount - blockCount * correctionCount }

  /// The number of bits of the number of bytes (table 3).
  private var lengthBits: Int { number < 10 ? 8 : 16 }

  /// The maximum number of bytes beside the mode and the number of bytes.
  var byteCapacity: Int { (8 * dataCount - 4 - lengthBits) / 8 }

  /// Returns the data codewords of bytes: the mode, their number, the bytes, and padding (clause
  /// 7.4).
  func data(of bytes: [UInt8]) -> [UInt8] {
    var codewords: [UInt8] = []
    // The mode has four bits, so each following byte lies in two codewords.
    var half: UInt8 = 0b0100
    let count = stride(from: lengthBits - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: bytes.count >> $0)
    }
    for byte in count + bytes + [0] {
      codewords.append(half << 4 | byte >> 4)
      half = byte & 15
    }
    // The last half is the terminator of four zero bits.
    let padding: [UInt8] = [0xEC, 0x11]
    return codewords + (0..<max(0, dataCount - codewords.count)).map { padding[$0 % 2] }
  }

  /// Returns all codewords in their order: the data and the error correction of all blocks,
  /// interleaved (clause 7.6).
  func codewords(of data: [UInt8]) -> [UInt8] {
    let generator = ReedSolomon.generator(degree: correctionCount)
    // The last blocks have a byte more.
    let shortLength = dataCount / blockCount
    let shortCount = blockCount - dataCount % blockCount
    var blocks: [ArraySlice<UInt8>] = []
    var start = 0
    for block in 0..<blockCount {
      let length = block < shortCount ? shortLength : shortLength + 1
      blocks.append(data[start..<start + length])
      start += length
    }
    let corrections = blocks.map { ReedSolomon.remainder(of: $0, by: generator) }
    var codewords: [UInt8] = []
    for place in 0..<shortLength + 1 {
      for block in blocks where place < block.count {
        codewords.append(block[block.startIndex + place])
      }
    }
    for place in 0..<correctionCount {
      for correction in corrections { codewords.append(correction[place]) }
    }
    return codewords
  }
}

/// Reed-Solomon codes over the field of 256 elements with the polynomial 0x11D (clause 7.5.2).
private enum ReedSolomon {
  /// Returns the coefficients of the generator polynomial, the highest first, without the leading
  /// one.
  static func generator(degree: Int) -> [UInt8] {
    var coefficients = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<degree {
      for place in coefficients.indices {
        coefficients[place] = product(coefficients[place], root)
        if place + 1 < degree { coefficients[place] ^= coefficients[place + 1] }
      }
      root = product(root, 2)
    }
    return coefficients
  }

  /// Returns the remainder of data, the codewords for their error correction.
  static func remainder(of data: ArraySlice<UInt8>, by generator: [UInt8]) -> [UInt8] {
    var remainder = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for place in remainder.indices { remainder[place] ^= product(generator[place], factor) }
    }
    return remainder
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var product: UInt8 = 0
    for bit in stride(from: 7, through: 0, by: -1) {
      product = product << 1 ^ (product >> 7) &* 0x1D
      if b >> UInt8(bit) & 1 == 1 { product ^= a }
    }
    return product
  }
}
