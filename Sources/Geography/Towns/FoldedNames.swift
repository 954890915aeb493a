import CLibrary

/// The folded names of all towns in one text, which is searched as a whole.
struct FoldedNames: Sendable {
  /// The names of the embedded towns, folded by the first search: 430 kB.
  static let ofProgram = FoldedNames(of: .ofProgram)

  // Each name is between two line feeds, which no folded name contains. A zero ends the text.
  private let text: [CChar]
  // The first byte of each name, and where another one would begin.
  private let starts: [Int32]

  private static let end = CChar(bitPattern: UInt8(ascii: "\n"))
  private static let space = CChar(bitPattern: FoldedName.space)

  init(of data: TownData) {
    let texts = data.foldedTexts()
    let (end, space) = (UInt8(ascii: "\n"), FoldedName.space)
    func isBreak(_ byte: UInt8?) -> Bool { byte == end || byte == space }
    var text = [end]
    var starts: [Int32] = []
    starts.reserveCapacity(data.count + 1)
    data.forEachName { _, codes in
      starts.append(Int32(text.count))
      var place = 0
      while place < codes.count {
        if codes[place] == TownData.rare, place + 2 < codes.count {
          let scalar = TownData.rareScalar(codes[place + 1], codes[place + 2])
          FoldedName.append(scalar, to: &text, data)
          place += 3
        } else {
          for byte in texts[Int(codes[place])] where byte != space || !isBreak(text.last) {
            text.append(byte)
          }
          place += 1
        }
      }
      if text.last == space { text.removeLast() }
      text.append(end)
    }
    starts.append(Int32(text.count))
    self.text = text.map(CChar.init(bitPattern:)) + [0]
    self.starts = starts
  }

  /// The folded name of a town.
  subscript(town: Int) -> [UInt8] {
    text[Int(starts[town])..<Int(starts[town + 1]) - 1].map(UInt8.init(bitPattern:))
  }

  /// Returns the towns of whose names a word begins with a text, in ascending order.
  ///
  /// - Complexity: O(*n*), where *n* is the length of all names.
  func towns(withWordsBeginning asked: [UInt8]) -> [Int] {
    guard !asked.isEmpty, !asked.contains(0) else { return [] }
    let asked = asked.map(CChar.init(bitPattern:)) + [0]
    var found: [Int] = []
    text.withUnsafeBufferPointer { text in
      guard var rest = text.baseAddress else { return }
      let base = rest
      while let match = strstr(rest, asked) {
        let start = base.distance(to: match)
        rest = base + start + 1
        guard text[start - 1] == Self.end || text[start - 1] == Self.space else { continue }
        let town = self.town(at: start)
        found.append(town)
        rest = base + Int(starts[town + 1])
      }
    }
    return found
  }

  /// The town in whose name a byte lies.
  private func town(at place: Int) -> Int {
    var (low, high) = (0, starts.count - 1)
    while low + 1 < high {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= place { low = middle } else { high = middle }
    }
    return low
  }
}
