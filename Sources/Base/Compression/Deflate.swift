import CZlib

/// Compresses bytes by deflate (RFC 1951).
package enum Deflate {
  /// The level of zlib that balances time and size.
  package static let usualLevel = Z_DEFAULT_COMPRESSION

  /// Compresses bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to compress.
  ///   - form: The form of the result.
  ///   - level: 1, the fastest, to 9, the smallest.
  ///   - limit: The maximum length of the result in bytes.
  /// - Returns: The compressed bytes; `nil` where they would be longer than the limit.
  package static func packed(
    _ bytes: [UInt8], as form: CompressedForm, level: Int32 = usualLevel, upTo limit: Int
  ) -> [UInt8]? {
    guard limit > 0, max(bytes.count, limit) <= Int(UInt32.max) else { return nil }
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      var stream = unsafe z_stream()
      let size = unsafe Int32(MemoryLayout<z_stream>.size)
      // A memory level of 8, the default (zlib.h, deflateInit2).
      let status = unsafe deflateInit2_(
        &stream, level, Z_DEFLATED, form.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
      guard status == Z_OK else { return }
      defer { unsafe deflateEnd(&stream) }
      unsafe bytes.withUnsafeBufferPointer { input in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = uInt(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = uInt(output.count)
        if unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END {
          count = unsafe output.count - Int(stream.avail_out)
        }
      }
    }
    return packed.isEmpty ? nil : packed
  }
}
