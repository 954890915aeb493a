import CBrotli

/// Decompression of Brotli streams (RFC 7932) by libbrotlidec, which is loaded when it is first
/// needed.
package enum Brotli {
  /// The reason why nothing could be decompressed.
  package enum Failure: Error, Hashable {
    /// libbrotlidec cannot be used, with the system's reason.
    case missing(String)
    /// The stream is damaged at its beginning.
    case damaged
  }

  /// The first bytes of a decompressed stream.
  package struct Prefix: Sendable {
    /// The bytes.
    package let bytes: [UInt8]
    /// Whether these are all bytes: the stream is neither longer nor cut off nor damaged.
    package let isWhole: Bool
  }

  private static let outputSize = 1 << 16

  /// Decompresses the valid part of a stream.
  ///
  /// - Parameters:
  ///   - stream: The stream, which may be cut off or damaged.
  ///   - limit: The maximum number of bytes to decompress, which also bounds the time. The
  ///     library's own memory is at most 17 MB (RFC 7932, section 9.1).
  /// - Returns: The first bytes of the output.
  /// - Throws: `Failure` if there are none.
  package static func prefix(
    of stream: ArraySlice<UInt8>, upTo limit: Int
  ) throws(Failure) -> Prefix {
    if let reason = unsafe brotliLoad() { throw .missing(unsafe String(cString: reason)) }
    guard let decoder = unsafe brotliOpen() else { throw .missing("there is not enough memory") }
    defer { unsafe brotliClose(decoder) }
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: outputSize)
    var rest = stream
    while output.count < limit {
      var (used, produced) = (0, 0)
      let step = unsafe rest.withUnsafeBufferPointer { input in
        unsafe piece.withUnsafeMutableBufferPointer { buffer in
          unsafe brotliDecode(
            decoder, input.baseAddress, input.count, &used, buffer.baseAddress, buffer.count,
            &produced)
        }
      }
      rest = rest.dropFirst(used)
      output += piece.prefix(min(produced, limit - output.count))
      switch step {
      case brotliEnded: return Prefix(bytes: output, isWhole: true)
      case brotliNeedsOutput: continue
      default:
        guard !output.isEmpty else { throw .damaged }
        return Prefix(bytes: output, isWhole: false)
      }
    }
    return Prefix(bytes: output, isWhole: false)
  }
}
