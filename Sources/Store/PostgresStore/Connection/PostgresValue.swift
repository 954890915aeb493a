#if Postgres
  /// The value of a parameter of a statement, which is sent in PostgreSQL's binary format.
  package enum PostgresValue: Sendable {
    /// A `bigint`.
    case int8(Int64)
    /// An `integer`.
    case int4(Int32)
    /// A `smallint`.
    case int2(Int16)
    /// A `boolean`.
    case bool(Bool)
    /// A `double precision`.
    case double(Double)
    /// A `text`.
    case text(String)
    /// A `bytea`.
    case bytes([UInt8])
    /// A `bigint[]`.
    case int8s([Int64])
    /// An `integer[]`.
    case int4s([Int32])
    /// A `smallint[]`.
    case int2s([Int16])
    /// A `boolean[]`.
    case bools([Bool])
    /// A `double precision[]`.
    case doubles([Double])
    /// A `bigint[]` whose elements may be NULL.
    case optionalInt8s([Int64?])
    /// A `bytea[]`.
    case byteStrings([[UInt8]])
    /// A `text[]`.
    case texts([String])
    /// NULL of any type.
    case null

    /// A `bigint` that may be NULL.
    package static func optionalInt8(_ value: Int64?) -> PostgresValue {
      value.map { .int8($0) } ?? .null
    }

    /// A `text` that may be NULL.
    package static func optionalText(_ value: String?) -> PostgresValue {
      value.map { .text($0) } ?? .null
    }

    /// Appends the value's bytes.
    ///
    /// - Returns: `false` for NULL, which has no bytes.
    func write(to bytes: inout [UInt8]) -> Bool {
      switch self {
      case .int8(let value): bytes.append(bigEndian: value)
      case .int4(let value): bytes.append(bigEndian: value)
      case .int2(let value): bytes.append(bigEndian: value)
      case .bool(let value): bytes.append(value ? 1 : 0)
      case .double(let value): bytes.append(bigEndian: value.bitPattern)
      case .text(let value): bytes.append(contentsOf: value.utf8)
      case .bytes(let value): bytes.append(contentsOf: value)
      case .int8s(let values): bytes.append(values, of: .int8)
      case .int4s(let values): bytes.append(values, of: .int4)
      case .int2s(let values): bytes.append(values, of: .int2)
      case .doubles(let values): bytes.append(values.map(\.bitPattern), of: .float8)
      case .bools(let values): bytes.append(values.map { $0 ? UInt8(1) : 0 }, of: .bool)
      case .optionalInt8s(let values):
        bytes.appendArrayHeader(.int8, count: values.count, holdsNull: values.contains(nil))
        for value in values {
          bytes.append(bigEndian: value == nil ? Int32(-1) : 8)
          if let value { bytes.append(bigEndian: value) }
        }
      case .byteStrings(let values):
        bytes.appendArrayHeader(.bytea, count: values.count)
        for value in values {
          bytes.append(bigEndian: Int32(truncatingIfNeeded: value.count))
          bytes.append(contentsOf: value)
        }
      case .texts(let values):
        bytes.appendArrayHeader(.text, count: values.count)
        for value in values {
          bytes.append(bigEndian: Int32(truncatingIfNeeded: value.utf8.count))
          bytes.append(contentsOf: value.utf8)
        }
      case .null: return false
      }
      return true
    }
  }

  /// The object identifiers of built-in types, which never change (PostgreSQL's `pg_type.dat`).
  enum PostgresType: UInt32 {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case float8 = 701
  }

  extension [UInt8] {
    /// Appends an integer in network byte order.
    mutating func append(bigEndian value: some FixedWidthInteger) {
      unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
    }

    /// Appends the header of an array of one dimension, as PostgreSQL's `array_send` writes it
    /// (`arrayfuncs.c`): the number of dimensions, whether there are NULLs, the type of the
    /// elements, and the length and the first index of the dimension.
    mutating func appendArrayHeader(_ type: PostgresType, count: Int, holdsNull: Bool = false) {
      append(bigEndian: Int32(1))
      append(bigEndian: Int32(holdsNull ? 1 : 0))
      append(bigEndian: type.rawValue)
      append(bigEndian: Int32(truncatingIfNeeded: count))
      append(bigEndian: Int32(1))
    }

    /// Appends an array of integers, each with its length.
    mutating func append<Number: FixedWidthInteger>(_ values: [Number], of type: PostgresType) {
      appendArrayHeader(type, count: values.count)
      let width = Int32(truncatingIfNeeded: MemoryLayout<Number>.size)
      reserveCapacity(count + values.count * (4 + MemoryLayout<Number>.size))
      for value in values {
        append(bigEndian: width)
        append(bigEndian: value)
      }
    }
  }
#endif
