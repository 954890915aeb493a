import CZlib

/// A decompressor of zlib streams (RFC 1950).
enum Inflate {
  /// Decompresses the valid part of a stream, up to a maximum number of bytes; the checksum is
  /// ignored.
  static func decompress(_ stream: ArraySlice<UInt8>, upTo limit: Int) -> [UInt8] {
    guard stream.count <= Int(uInt.max), (1...Int(uInt.max)).contains(limit) else { return [] }
    var input = Array(stream)
    return unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      count = unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe inflate(input, into: output)
      }
    }
  }

  /// Decompresses into a buffer; returns the number of bytes written.
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
    // The whole input and output buffers are given, so a single call is enough whatever its result.
    _ = unsafe CZlib.inflate(&stream, Z_SYNC_FLUSH)
    return output.count - Int(unsafe stream.avail_out)
  }
}
