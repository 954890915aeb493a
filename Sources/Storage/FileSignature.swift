/// How the files of one kind begin, which tells a file of this program from anybody else's.
///
/// Whatever a flag or a setting names, only a file that begins so is ever replaced, appended to or
/// set aside. The check compares tokens of JSON, so it accepts a document that was laid out anew.
package struct FileSignature: Hashable, Sendable {
  private let tokens: [[UInt8]]

  /// The signature of JSON documents whose first member is `format`.
  ///
  /// - Parameter format: The member's value.
  package init(format: String) {
    self.init(tokens: ["{", "\"format\"", ":", "\"\(format)\""])
  }

  /// The signature of files that begin with certain tokens of JSON, with or without spaces between
  /// them.
  package init(tokens: [String]) {
    self.tokens = tokens.map { Array($0.utf8) }
  }

  /// The signature that every file has, for one that is known to belong to the program.
  package static let any = FileSignature(tokens: [])

  /// So many bytes of a file are enough to recognise it, unless its layout is very wide.
  static let length = 512

  /// Whether a file with this beginning is of the kind, whole or damaged.
  ///
  /// An empty file holds nothing that could be lost, and one that was cut off within the signature
  /// is what a crash leaves behind; both count.
  ///
  /// - Parameter beginning: The first ``length`` bytes of the file, all of them where it is
  ///   shorter.
  /// - Returns: Whether they have the signature, as far as they go.
  func matches(_ beginning: [UInt8]) -> Bool {
    var rest = beginning[...]
    for token in tokens {
      rest = rest.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
      let part = rest.prefix(token.count)
      guard token.starts(with: part) else { return false }
      guard part.count == token.count else { return beginning.count < Self.length }
      rest = rest.dropFirst(token.count)
    }
    return true
  }
}
