import Spatial
import Storage
import SystemPackage

// The mapped file. Its first line is JSON:
//
//   format    "photospots-mapped"
//   layout    a hash of the table declarations that it was written with
//   document  {size, modified, inode} of the index file that it was made from
//   rows      {table: rows}
//   clusterRadius  of the spots, in metres
//   sections  [[length in bytes, XXH64 as a signed integer], …]
//   index     the small members of the document
//
// The line is followed by eight bytes, the XXH64 of the line without its line feed, and by the
// sections: the columns in the order of their declarations, then the search tree over the spots.
// Each section begins at the next multiple of 64 bytes. All numbers are little-endian.

/// The sections of a mapped file, in file order.
struct MappedSections {
  /// The alignment of sections in bytes: a cache line.
  static let alignment = 64

  private var bodies: [((UnsafeRawBufferPointer) throws -> Void) throws -> Void] = []
  /// The length and hash of each section.
  private(set) var entries: [MappedSection] = []

  /// Adds the values of a column.
  mutating func add<Value>(_ column: Column<Value>) {
    add { body in try column.withBytes(body) }
  }

  /// Adds a section of bytes.
  mutating func add(
    _ bytes: @escaping ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) {
    bodies.append(bytes)
    var entry = MappedSection(length: 0, hash: 0)
    try? bytes { entry = MappedSection(length: $0.count, hash: XXH64.hash($0)) }
    entries.append(entry)
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - head: The first line, without its line feed.
  ///   - file: The file, positioned at its beginning.
  /// - Throws: The system's error.
  func write(head: [UInt8], to file: FileDescriptor) throws(Errno) {
    var start = head + [UInt8(ascii: "\n")]
    let hash = head.withUnsafeBytes { XXH64.hash($0) }
    withUnsafeBytes(of: hash.littleEndian) { start.append(contentsOf: $0) }
    try Disk.write(start, to: file)
    var offset = start.count
    for (body, entry) in zip(bodies, entries) {
      let gap = Self.aligned(offset) - offset
      try Disk.write(Array(repeating: 0, count: gap), to: file)
      try Disk.write(to: file) { write in try body(write) }
      offset += gap + entry.length
    }
  }

  /// The next multiple of the alignment.
  static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }
}

/// The head's entry for a section.
struct MappedSection {
  /// The length in bytes.
  let length: Int
  /// XXH64 of the bytes.
  let hash: UInt64
}

/// A reader of the sections of a mapped file, in file order.
struct MappedReader {
  private let file: MappedFile
  private let sections: [MappedSection]
  private let rows: [IndexTable: Int]
  private var next = 0
  private var offset: Int

  /// Creates a reader positioned before the first section; `nil` if the sections do not match the
  /// size of the file.
  init?(_ file: MappedFile, _ sections: [MappedSection], from start: Int, rows: [IndexTable: Int]) {
    self.file = file
    self.sections = sections
    self.rows = rows
    offset = start
    var end = start
    for section in sections {
      guard section.length >= 0, section.length <= file.bytes.count else { return nil }
      end = MappedSections.aligned(end) + section.length
      guard end <= file.bytes.count else { return nil }
    }
    guard end == file.bytes.count else { return nil }
  }

  /// Returns the bytes of the next section.
  mutating func bytes() -> UnsafeRawBufferPointer? {
    guard next < sections.count else { return nil }
    let start = MappedSections.aligned(offset)
    let end = start + sections[next].length
    next += 1
    offset = end
    return UnsafeRawBufferPointer(rebasing: file.bytes[start..<end])
  }

  /// Returns the next section as a column.
  mutating func column<Value>(of: Value.Type) -> Column<Value>? {
    guard let bytes = bytes() else { return nil }
    guard !bytes.isEmpty else { return Column() }
    return MappedValues(bytes, owner: file).map { values in
      Column(mapped: values, rowCount: Value.table.flatMap { rows[$0] } ?? Int(Int32.max))
    }
  }

  /// Returns the next section as a search tree over a number of positions.
  mutating func tree(count: Int) -> SpatialIndex? {
    bytes().flatMap { SpatialIndex(count: count, mapped: $0, owner: file) }
  }

  /// Whether all sections were read.
  var isAtEnd: Bool { next == sections.count }

  /// Returns whether each of the remaining sections has the hash given in the head.
  mutating func isWhole() -> Bool {
    while next < sections.count {
      let hash = sections[next].hash
      guard let bytes = bytes(), XXH64.hash(bytes) == hash else { return false }
    }
    return true
  }
}
