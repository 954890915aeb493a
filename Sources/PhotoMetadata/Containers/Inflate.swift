import CZlib

/// Decompresses zlib streams (RFC 1950) with zlib.
enum Inflate {
  /// Decompresses a stream, as far as it is sound and whole, up to a number of bytes. The checksum
  /// at its end decides nothing.
  static func decompress(_ stream: ArraySlice<UInt8>, upTo limit: Int) -> [UInt8] {
    guard stream.count <= Int(uInt.max), (1...Int(uInt.max)).contains(limit) else { return [] }
    var input = Array(stream)
    return unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe inflate(input, into: output)
      }
    }
  }

  /// Returns how many bytes were written.
  private static func inflate(
    _ input: UnsafeMutableBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var stream = unsafe z_stream()
    unsafe stream.next_in = input.baseAddress
    unsafe stream.avail_in = uInt(input.count)
    unsafe stream.next_out = output.baseAddress
    unsafe stream.avail_out = uInt(output.count)
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit_(&stream, ZLIB_VERSION, size) == Z_OK else { return 0 }
    defer { unsafe inflateEnd(&stream) }
    // All of the input is there, and room for all that is wanted: whatever stops it, it is done.
    _ = unsafe CZlib.inflate(&stream, Z_SYNC_FLUSH)
    return output.count - Int(unsafe stream.avail_out)
  }
}
