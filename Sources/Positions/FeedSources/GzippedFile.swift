import Compression
import Synchronization
import SystemPackage

/// A file of gzip (RFC 1952) that is unpacked as it is read, such as a recorded track that a
/// service exported.
final class GzippedFile: Sendable {
  /// The maximum length in bytes of the unpacked file.
  static let maximumLength: Int64 = 1 << 30
  /// The number of compressed bytes unpacked at a time, which give at most 4 MiB.
  private static let pieceLength = 4096

  private struct State: ~Copyable {
    var inflater: Inflater?
    /// Compressed bytes that are not unpacked yet.
    var rest: [UInt8] = []
    var length: Int64 = 0
    /// The reason why nothing more is read.
    var failure: GzippedFileError?
    /// Whether a part of the file was unpacked to its end.
    var isWhole = false
  }

  private let file: OpenFile
  private let state = Mutex(State(inflater: nil))

  private let limit: Int64

  init(_ file: OpenFile, upTo limit: Int64 = maximumLength) {
    (self.file, self.limit) = (file, limit)
  }

  var descriptor: FileDescriptor { file.descriptor }

  /// Returns whether a file begins as one of gzip. Its position is not changed.
  static func isGzipped(_ file: OpenFile) -> Bool {
    var start: [UInt8] = [0, 0]
    let count = start.withUnsafeMutableBytes {
      try? file.descriptor.read(fromAbsoluteOffset: 0, into: $0)
    }
    return count == 2 && start == [0x1F, 0x8B]
  }

  /// Returns the next unpacked bytes; none at the end of the file.
  ///
  /// - Throws: An `Errno` if reading fails; ``GzippedFileError`` if the file is damaged, cut off or
  ///   too long. The bytes before that were returned.
  func read() throws -> [UInt8] {
    try state.withLock { state in
      while true {
        if let failure = state.failure { throw failure }
        if state.rest.isEmpty {
          state.rest = try file.read()
          if state.rest.isEmpty {
            guard state.inflater == nil else { throw GzippedFileError.damaged }
            return []
          }
        }
        let unpacked = try unpack(&state)
        if !unpacked.isEmpty { return unpacked }
      }
    }
  }

  private func unpack(_ state: inout State) throws -> [UInt8] {
    if state.inflater == nil {
      // Zeros may follow the last part.
      if state.isWhole, state.rest.allSatisfy({ $0 == 0 }) {
        state.rest = []
        return []
      }
      state.inflater = Inflater(.gzip)
    }
    guard var inflater = state.inflater.take() else { throw Errno.noMemory }
    let piece = state.rest.prefix(Self.pieceLength)
    var bytes: [UInt8] = []
    guard
      let used = inflater.inflate(
        piece,
        { part in
          bytes += part
          return true
        })
    else {
      state.failure = .damaged
      return bytes
    }
    state.rest.removeFirst(used)
    state.length += Int64(bytes.count)
    if state.length > limit { state.failure = .tooLong }
    if inflater.isFinished {
      state.isWhole = true
    } else {
      if used == 0, bytes.isEmpty { state.failure = .damaged }
      state.inflater = consume inflater
    }
    return bytes
  }
}

/// A reason why a compressed file cannot be read further.
enum GzippedFileError: Error {
  case damaged, tooLong
}
