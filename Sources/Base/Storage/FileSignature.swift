/// The initial bytes of all files of one kind, by which files of this program are recognised.
///
/// Only a file with the expected signature is ever replaced, appended to or renamed, whatever path
/// a flag or a setting names. The comparison ignores white space between JSON tokens and a byte
/// order mark before them, so it accepts a document that was reformatted.
package struct FileSignature: Hashable, Sendable {
  private let tokens: [[UInt8]]

  /// Creates the signature of JSON documents whose first member is `format`.
  ///
  /// - Parameter format: The value of the member.
  package init(format: String) {
    self.init(tokens: ["{", "\"format\"", ":", "\"\(format)\""])
  }

  /// Creates the signature of files that begin with the given JSON tokens, with or without white
  /// space between them.
  package init(tokens: [String]) {
    self.tokens = tokens.map { Array($0.utf8) }
  }

  /// A signature that matches every file, for paths that are known to belong to the program.
  package static let any = FileSignature(tokens: [])

  /// The number of bytes read to recognise a file; enough unless the file has very wide
  /// indentation.
  static let length = 512

  /// Returns whether a file with this beginning has the signature.
  ///
  /// An empty file matches because it contains nothing to lose, and so does a file truncated within
  /// the signature, which a crash may leave behind.
  ///
  /// - Parameter beginning: The first ``length`` bytes of the file, or all of them if it is
  ///   shorter.
  /// - Returns: Whether the bytes match the signature as far as they go.
  func matches(_ beginning: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var rest = beginning.dropFirst(beginning.starts(with: mark) ? mark.count : 0)
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
