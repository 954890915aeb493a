import SystemPackage

/// Files of rows of three little-endian float64 numbers.
enum RowFile {
  private static let rowBytes = 24

  static func write(_ rows: [[Double]], to path: String) {
    var bytes: [UInt8] = []
    for number in rows.joined() {
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    do {
      let file = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      fatalError("\(path) cannot be written: \(error)")
    }
  }

  static func read(_ path: String) -> [[Double]] {
    do {
      let file = try FileDescriptor.open(FilePath(path), .readOnly)
      return try file.closeAfter {
        let size = Int(try file.seek(offset: 0, from: .end))
        let bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
          count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        return bytes.withUnsafeBytes { bytes in
          (0..<bytes.count / rowBytes).map { row in
            (0..<3).map { column in
              let bits = bytes.loadUnaligned(
                fromByteOffset: rowBytes * row + 8 * column, as: UInt64.self)
              return Double(bitPattern: UInt64(littleEndian: bits))
            }
          }
        }
      }
    } catch {
      fatalError("\(path) cannot be read: \(error)")
    }
  }
}
