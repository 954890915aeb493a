import CZlib

/// Decompresses a raw deflate stream (RFC 1951) piece by piece.
@safe struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the end of the stream has been reached.
  private(set) var isFinished = false

  /// Creates an inflater; returns `nil` where there is not enough memory.
  init?() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    // A negative window size selects a raw stream without header and checksum (zlib.h,
    // inflateInit2).
    guard unsafe inflateInit2_(stream, -15, ZLIB_VERSION, size) == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Decompresses a piece.
  ///
  /// - Parameters:
  ///   - piece: The next bytes of the stream.
  ///   - take: Receives the output, at most 64 KiB at a time; returns false to stop.
  /// - Returns: The number of bytes of the piece that were used; `nil` where the stream is damaged
  ///   or `take` returned false.
  mutating func inflate(_ piece: [UInt8], _ take: (ArraySlice<UInt8>) -> Bool) -> Int? {
    guard piece.count <= Int(uInt.max) else { return nil }
    var piece = piece
    var output = [UInt8](repeating: 0, count: 1 << 16)
    let capacity = output.count
    let count = piece.count
    return unsafe piece.withUnsafeMutableBufferPointer { input in
      unsafe stream.pointee.next_in = input.baseAddress
      unsafe stream.pointee.avail_in = uInt(count)
      while !isFinished {
        let status = unsafe output.withUnsafeMutableBufferPointer { buffer in
          unsafe stream.pointee.next_out = buffer.baseAddress
          unsafe stream.pointee.avail_out = uInt(capacity)
          return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        }
        let produced = capacity - Int(unsafe stream.pointee.avail_out)
        if produced > 0, !take(output[..<produced]) { return nil }
        switch status {
        case Z_STREAM_END: isFinished = true
        case Z_OK: break
        // No progress without more input.
        case Z_BUF_ERROR: return count - Int(unsafe stream.pointee.avail_in)
        default: return nil
        }
        if unsafe stream.pointee.avail_in == 0, produced < capacity { break }
      }
      return count - Int(unsafe stream.pointee.avail_in)
    }
  }
}

/// Compresses bytes as a raw deflate stream (RFC 1951).
enum Deflate {
  /// Returns the compressed bytes; `nil` where they would not be shorter.
  static func packed(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 1, bytes.count <= Int(UInt32.max) else { return nil }
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count - 1) { output, count in
      var stream = unsafe z_stream()
      let size = unsafe Int32(MemoryLayout<z_stream>.size)
      let status = unsafe deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
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

/// The checksum of zip archives: CRC-32 (APPNOTE.TXT, section 4.4.7).
package struct CRC32: Hashable, Sendable {
  /// The checksum of all bytes so far.
  package private(set) var value: UInt32 = 0

  /// Creates the checksum of no bytes.
  package init() {}

  /// Adds bytes.
  package mutating func combine(_ bytes: some Collection<UInt8>) {
    let value = UInt(self.value)
    let sum = bytes.withContiguousStorageIfAvailable { buffer in
      unsafe crc32_z(value, buffer.baseAddress, z_size_t(buffer.count))
    }
    if let sum {
      self.value = UInt32(truncatingIfNeeded: sum)
    } else {
      combine(Array(bytes))
    }
  }
}
