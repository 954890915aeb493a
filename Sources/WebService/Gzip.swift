import CZlib

/// Compresses answers in the gzip format (RFC 1952).
enum Gzip {
  /// Compresses bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to compress.
  ///   - level: 1, the fastest, to 9, the smallest.
  /// - Returns: The compressed bytes; `nil` where compression saves less than a tenth.
  static func packed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
    let room = bytes.count - bytes.count / 10
    guard room > 0, bytes.count <= Int(UInt32.max) else { return nil }
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
      var stream = unsafe z_stream()
      let size = unsafe Int32(MemoryLayout<z_stream>.size)
      // A window of 15 bits, plus 16 for the gzip header, and a memory level of 8 (zlib.h,
      // deflateInit2).
      let status = unsafe deflateInit2_(
        &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
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

  /// Returns whether the header Accept-Encoding accepts gzip (RFC 9110, section 12.5.3).
  static func isAccepted(_ field: String?) -> Bool {
    var isOther = false
    for part in (field ?? "").lowercased().split(separator: ",") {
      let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      let isRefused = words.dropFirst().contains { word in
        word.hasPrefix("q=") && Double(word.dropFirst(2)) == 0
      }
      if words.first == "gzip" || words.first == "x-gzip" { return !isRefused }
      if words.first == "*" { isOther = !isRefused }
    }
    return isOther
  }
}
