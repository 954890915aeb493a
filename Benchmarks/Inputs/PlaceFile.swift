package import Spatial
package import SystemPackage

/// A row of a places file: a point with its number or time, or a query with its kind.
package struct Place: Sendable {
  package let coordinate: Coordinate
  /// The kind of a query: 0 at home, 1 near other photos, 2 in a city, 3 far from all photos.
  package let third: Double

  package init(coordinate: Coordinate, third: Double) {
    self.coordinate = coordinate
    self.third = third
  }

  package var isHome: Bool { third == 0 }
  package var isPastPhotos: Bool { third == 1 }
}

/// The format of places files: rows of three little-endian float64 numbers. `Peers/peer.hpp` and
/// the scripts use the same format.
package enum PlaceFile {
  private static let rowBytes = 24

  package static func read(_ path: String) throws -> [Place] {
    let file = try FileDescriptor.open(FilePath(path), .readOnly)
    let bytes = try file.closeAfter {
      let size = Int(try file.seek(offset: 0, from: .end))
      return try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          let read = try file.read(fromAbsoluteOffset: Int64(count), into: rest)
          if read == 0 { break }
          count += read
        }
      }
    }
    guard !bytes.isEmpty, bytes.count.isMultiple(of: rowBytes) else { throw UnreadableRow(path, 1) }
    return try bytes.withUnsafeBytes { bytes in
      func number(_ row: Int, _ column: Int) -> Double {
        let bits = bytes.loadUnaligned(fromByteOffset: row * rowBytes + column * 8, as: UInt64.self)
        return Double(bitPattern: UInt64(littleEndian: bits))
      }
      return try (0..<bytes.count / rowBytes).map { row in
        guard let coordinate = Coordinate(latitude: number(row, 0), longitude: number(row, 1))
        else { throw UnreadableRow(path, row + 1) }
        return Place(coordinate: coordinate, third: number(row, 2))
      }
    }
  }

  package static func write(_ places: some Collection<Place>, to path: String) throws {
    var numbers: [UInt64] = []
    numbers.reserveCapacity(places.count * 3)
    for place in places {
      for number in [place.coordinate.latitude, place.coordinate.longitude, place.third] {
        numbers.append(number.bitPattern.littleEndian)
      }
    }
    try numbers.withUnsafeBytes { try FileDescriptor.write($0, to: path) }
  }

  /// Writes points with their numbers.
  package static func write(_ points: [Coordinate], to path: String) throws {
    try write(
      points.enumerated().map { Place(coordinate: $1, third: Double($0)) }, to: path)
  }
}

extension FileDescriptor {
  /// Writes a file, replacing an existing one.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .truncate],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }
}

/// The error of an invalid row, or of a file with an incomplete row.
package struct UnreadableRow: Error, CustomStringConvertible {
  package let description: String

  package init(_ path: String, _ row: Int) {
    description = "\(path), row \(row): not latitude, longitude and a third number as float64"
  }
}
