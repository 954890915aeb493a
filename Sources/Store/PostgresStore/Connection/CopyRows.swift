#if Postgres
  /// Rows in the binary format of COPY (PostgreSQL 15 documentation, "COPY", section "Binary
  /// Format").
  struct CopyRows {
    private var bytes: [UInt8]
    private let columnCount: Int16

    /// Writes the header, before any row.
    ///
    /// - Parameters:
    ///   - columnCount: The number of values of each row.
    ///   - byteCount: The expected size of all rows in bytes, for which memory is reserved.
    init(columnCount: Int16, byteCount: Int) {
      self.columnCount = columnCount
      bytes = []
      bytes.reserveCapacity(byteCount)
      bytes += "PGCOPY\n".utf8
      bytes += [0xFF, 0x0D, 0x0A, 0x00]
      // No flags, and no extension of the header.
      bytes.append(bigEndian: Int64(0))
    }

    /// Begins a row. Its values are appended next, in the order of the columns.
    mutating func beginRow() { bytes.append(bigEndian: columnCount) }

    /// Appends an integer, whose width is that of the column's type.
    mutating func append(_ number: some FixedWidthInteger) {
      bytes.append(bigEndian: Int32(truncatingIfNeeded: number.bitWidth / 8))
      bytes.append(bigEndian: number)
    }

    /// Appends a `bigint` that may be NULL.
    mutating func append(_ number: Int64?) {
      guard let number else { return bytes.append(bigEndian: Int32(-1)) }
      append(number)
    }

    /// Appends a `double precision`.
    mutating func append(_ number: Double) { append(number.bitPattern) }

    /// Appends a `boolean`.
    mutating func append(_ value: Bool) { append(UInt8(value ? 1 : 0)) }

    /// Appends a `bytea`.
    mutating func append(_ value: some Collection<UInt8>) {
      bytes.append(bigEndian: Int32(truncatingIfNeeded: value.count))
      bytes.append(contentsOf: value)
    }

    /// Writes the trailer, and returns all bytes.
    consuming func finished() -> [UInt8] {
      bytes.append(bigEndian: Int16(-1))
      return bytes
    }
  }
#endif
