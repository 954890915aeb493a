import Spatial
import Storage
import SystemPackage

// The mapped file. Its first line is JSON:
//
// format    "photospots-mapped"
// layout    what was declared of the tables when it was made, as a hash
// document  {size, modified, inode} of the index file that it was made from
// rows      {table: rows}
// clusterRadius  of the spots, in metres
// sections  [[length in bytes, XXH64 as signed], …]
// index     the small members of the document
//
// Then come eight bytes, the XXH64 of the line without its line feed, then the sections: the
// columns as they are declared, then the search tree over the spots. Each section begins at the
// next multiple of 64 bytes. All numbers are little-endian.

/// The parts of a mapped file, in the order in which they lie in it.
struct MappedSections {
  /// Sections begin at multiples of a cache line.
  static let alignment = 64

  private var bodies: [((UnsafeRawBufferPointer) throws -> Void) throws -> Void] = []
  /// Length and hash of each.
  private(set) var entries: [MappedSection] = []

  /// Adds the values of a column.
  mutating func add<Value>(_ column: Column<Value>) {
    add { body in try column.withBytes(body) }
  }

  /// Adds bytes.
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
  ///   - file: The file, at its beginning.
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

/// What the head says of a section.
struct MappedSection {
  /// Bytes.
  let length: Int
  /// XXH64 of the bytes.
  let hash: UInt64
}

/// The sections of a mapped file, one after another.
struct MappedReader {
  private let file: MappedFile
  private let sections: [MappedSection]
  private let rows: [IndexTable: Int]
  private var next = 0
  private var offset: Int

  /// Creates a reader in front of the first section; `nil` where the sections are not what follows
  /// in the file.
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

  /// The bytes of the next section.
  mutating func bytes() -> UnsafeRawBufferPointer? {
    guard next < sections.count else { return nil }
    let start = MappedSections.aligned(offset)
    let end = start + sections[next].length
    next += 1
    offset = end
    return UnsafeRawBufferPointer(rebasing: file.bytes[start..<end])
  }

  /// The next section as a column.
  mutating func column<Value>(of: Value.Type) -> Column<Value>? {
    guard let bytes = bytes() else { return nil }
    guard !bytes.isEmpty else { return Column() }
    return MappedValues(bytes, owner: file).map { values in
      Column(mapped: values, rowCount: Value.table.flatMap { rows[$0] } ?? Int(Int32.max))
    }
  }

  /// The next section as a search tree over so many positions.
  mutating func tree(count: Int) -> SpatialIndex? {
    bytes().flatMap { SpatialIndex(count: count, mapped: $0, owner: file) }
  }

  /// Whether all sections were taken.
  var isAtEnd: Bool { next == sections.count }

  /// Whether each section that is left has the hash that the head says.
  mutating func isWhole() -> Bool {
    while next < sections.count {
      let hash = sections[next].hash
      guard let bytes = bytes(), XXH64.hash(bytes) == hash else { return false }
    }
    return true
  }
}
