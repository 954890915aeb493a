/// A text compared by its bytes. Strings of the standard library are equal if they are canonically
/// equivalent; the result of a merge would then depend on the order.
struct ByteText: MergedValue, ElementKey {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ByteText, right: ByteText) -> Bool {
    let isEqual = left.text.utf8.withContiguousStorageIfAvailable { left in
      right.text.utf8.withContiguousStorageIfAvailable { right in
        left.count == right.count && left.elementsEqual(right)
      }
    }
    return (isEqual ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
  }

  static func < (left: ByteText, right: ByteText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  func prevails(over other: ByteText) -> Bool { other < self }
}

/// The path of a photo, as bytes.
struct PathBytes: ElementKey {
  let bytes: [UInt8]

  static func < (left: PathBytes, right: PathBytes) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
