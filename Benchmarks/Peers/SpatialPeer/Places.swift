import Spatial
import SystemPackage

/// A row of a file of places: a point with its time, or a query with its class.
struct Place {
  let coordinate: Coordinate
  /// Of a query: 0 at home, 1 past other photos, 2 in a city, 3 far from all photos.
  let third: Double

  var isHome: Bool { third == 0 }
  var isPastPhotos: Bool { third == 1 }
}

/// Files of places: rows of three float64 numbers, least significant byte first.
enum PlaceFile {
  private static let rowBytes = 24

  static func read(_ path: String) throws -> [Place] {
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
    return try (0..<bytes.count / rowBytes).map { row in
      let numbers = (0..<3).map { column in
        let start = row * rowBytes + column * 8
        return Double(
          bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64($1 * 8) })
      }
      guard let coordinate = Coordinate(latitude: numbers[0], longitude: numbers[1]) else {
        throw UnreadableRow(path, row + 1)
      }
      return Place(coordinate: coordinate, third: numbers[2])
    }
  }

  static func write(_ places: [Place], to path: String) throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(places.count * rowBytes)
    for place in places {
      for number in [place.coordinate.latitude, place.coordinate.longitude, place.third] {
        for byte in 0..<8 {
          bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(byte * 8)))
        }
      }
    }
    try FileDescriptor.write(bytes, to: path)
  }
}

extension FileDescriptor {
  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .truncate],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
    try file.closeAfter { _ = try file.writeAll(bytes) }
  }
}

struct UnreadableRow: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, _ row: Int) {
    description = "\(path), row \(row): not latitude, longitude and a third number as float64"
  }
}
