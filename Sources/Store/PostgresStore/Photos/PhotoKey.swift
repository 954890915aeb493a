#if Postgres
  /// The key of a photo's row, without the owner.
  struct PhotoKey: Hashable, Comparable {
    /// The cell of the photo's position.
    let cell: Int32
    /// A hash of the source and of all properties of the photo that its spot depends on.
    let id: Int64

    static func < (left: PhotoKey, right: PhotoKey) -> Bool {
      left.cell != right.cell ? left.cell < right.cell : left.id < right.id
    }

    /// The number of bytes of a key in the column `keys` of the table `folder`.
    private static let size = 12

    /// Returns keys as bytes of the column `keys`: the cell, then the id, in network byte order.
    static func bytes(of keys: some Collection<PhotoKey>) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(keys.count * size)
      for key in keys {
        bytes.append(bigEndian: key.cell)
        bytes.append(bigEndian: key.id)
      }
      return bytes
    }

    /// Reads keys from a value of the column `keys`.
    static func keys(in bytes: [UInt8]) throws(PostgresError) -> [PhotoKey] {
      guard bytes.count % size == 0 else {
        throw .malformed("the keys of a folder have the wrong length")
      }
      func number<Number: FixedWidthInteger>(_ place: Int, as type: Number.Type) -> Number {
        bytes[place..<place + Number.bitWidth / 8].reduce(0) { $0 << 8 | Number($1) }
      }
      return stride(from: 0, to: bytes.count, by: size).map { place in
        PhotoKey(
          cell: Int32(bitPattern: number(place, as: UInt32.self)),
          id: Int64(bitPattern: number(place + 4, as: UInt64.self)))
      }
    }
  }
#endif
