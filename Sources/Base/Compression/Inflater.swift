import CZlib

/// Decompresses a deflated stream piece by piece.
@safe package struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the end of the stream has been reached.
  package private(set) var isFinished = false

  /// The maximum length in bytes of a piece of output.
  private static let outputSize = 1 << 16

  /// Creates an inflater; returns `nil` where there is not enough memory.
  package init?(_ form: CompressedForm) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(stream, form.windowBits, ZLIB_VERSION, size) == Z_OK else {
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
  package mutating func inflate(
    _ piece: ArraySlice<UInt8>, _ take: (ArraySlice<UInt8>) -> Bool
  ) -> Int? {
    let count = piece.count
    guard count <= Int(uInt.max) else { return nil }
    var output = [UInt8](repeating: 0, count: Self.outputSize)
    let capacity = output.count
    return unsafe piece.withUnsafeBufferPointer { input in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
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

  /// Decompresses the valid part of a stream.
  ///
  /// - Parameters:
  ///   - stream: The stream, which may be cut off or damaged; its checksum is ignored.
  ///   - form: The form of the stream.
  ///   - limit: The maximum number of bytes to decompress.
  /// - Returns: The first bytes of the output.
  package static func prefix(
    of stream: ArraySlice<UInt8>, as form: CompressedForm, upTo limit: Int
  ) -> [UInt8] {
    guard limit > 0, var inflater = Inflater(form) else { return [] }
    var bytes: [UInt8] = []
    _ = inflater.inflate(stream) { piece in
      bytes += piece.prefix(limit - bytes.count)
      return bytes.count < limit
    }
    return bytes
  }
}
