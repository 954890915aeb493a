import Encodings
import PhotoMetadata
import Spatial
package import Storage
import SystemPackage

extension PhotoIndex {
  /// The value of `format` in the head of a mapped file.
  static let mappedFormat = "photospots-mapped"

  /// The version of the section layout; incremented when the layout changes without a change of
  /// declarations.
  private static let layoutVersion = 2

  /// The hash of everything that a mapped file and its reader must agree on.
  static let layout: Int64 = {
    var text = "\(layoutVersion) \(PhotoIndexCache.version)"
    func add<Table: DeclaredTable>(_: Table.Type) {
      for column in Table.columns where column.isMapped {
        text += "\n\(Table.name).\(column.documentation)"
      }
    }
    add(FileTable.self)
    add(PhotoTable.self)
    add(SpotTable.self)
    text += "\n" + PositionSource.allCases.map(\.rawValue).joined(separator: ",")
    let hash = Array(text.utf8).withUnsafeBytes { XXH64.hash($0) }
    return Int64(bitPattern: hash)
  }()

  /// The number of rows of each table.
  private var rows: [(table: IndexTable, name: String, count: Int)] {
    [
      (.folders, "folders", folders.count), (.captions, "captions", captions.texts.count),
      (.files, FileTable.name, files.count),
      (.photos, PhotoTable.name, photos.count), (.shots, "shots", shots.count),
      (.spots, SpotTable.name, computedSpots?.count ?? 0),
    ]
  }

  // MARK: - Writing

  /// Writes the mapped form of the index.
  ///
  /// - Parameters:
  ///   - document: The identity of the index file with the same contents.
  ///   - file: The file, positioned at its beginning.
  /// - Throws: The system's error.
  /// - Precondition: The index has spots.
  func writeMapped(of document: FileStatus.Identity, to file: FileDescriptor) throws(Errno) {
    guard let spots = computedSpots else { preconditionFailure("an index without spots") }
    var sections = MappedSections()
    folders.addSections(to: &sections)
    captions.texts.addSections(to: &sections)
    Self.addSections(of: files, to: &sections)
    Self.addSections(of: photos, to: &sections)
    shots.members.addSections(to: &sections)
    Self.addSections(of: spots, to: &sections)
    sections.add { body in try spots.centers.withBytes(body) }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("format", Self.mappedFormat)
      writer.member("layout", Self.layout)
      writer.object("document") { writer in
        writer.member("size", document.size)
        writer.member("modified", document.modified)
        writer.member("inode", Int64(bitPattern: document.inode))
      }
      writer.object("rows") { writer in for row in rows { writer.member(row.name, row.count) } }
      writer.member("clusterRadius", spots.clusterRadiusMeters)
      writer.array("sections") { writer in
        for entry in sections.entries {
          writer.array { writer in
            writer.integer(entry.length)
            writer.integer(Int64(bitPattern: entry.hash))
          }
        }
      }
      writer.object("index") { writer in writeHead(to: &writer) }
    }
    try sections.write(head: writer.takeBytes(), to: file)
  }

  private static func addSections<Table: DeclaredTable>(
    of table: Table, to sections: inout MappedSections
  ) {
    for column in Table.columns where column.isMapped {
      column.get(table).addSections(to: &sections)
    }
  }

  // MARK: - Opening

  /// Opens a mapped file, reading only its first line; `nil` if that line is damaged, or the file
  /// was made from another document or by a program with another layout.
  ///
  /// The contents of the sections are not checked. Whatever they are, no access goes beyond the
  /// sections, and an invalid row number is read as that of an existing row.
  init?(mapped file: MappedFile, of document: FileStatus.Identity) {
    guard let head = MappedHead(file), head.document == document else { return nil }
    self.init(mapped: file, head)
  }

  /// Opens a mapped file, whichever document it was made from.
  package init?(mapped file: MappedFile) {
    guard let head = MappedHead(file) else { return nil }
    self.init(mapped: file, head)
  }

  private init?(mapped file: MappedFile, _ head: MappedHead) {
    guard head.layout == Self.layout, 1.littleEndian == 1 else { return nil }
    var index = head.index
    var rows = head.rows
    rows[.outcomes] = index.outcomes.values.count
    rows[.cameras] = index.cameras.values.count
    rows[.focalLengths] = index.focalLengths.values.count
    guard Self.haveRows(rows),
      var reader = MappedReader(file, head.sections, from: head.length, rows: rows)
    else { return nil }
    var spots = SpotTable()
    spots.clusterRadiusMeters = head.clusterRadiusMeters
    guard index.folders.map(from: &reader), index.folders.count == rows[.folders],
      let captions = CaptionTable(from: &reader), captions.texts.count == rows[.captions],
      Self.map(&index.files, rows[.files], from: &reader),
      Self.map(&index.photos, rows[.photos], from: &reader),
      index.shots.members.map(from: &reader), index.shots.count == rows[.shots],
      Self.map(&spots, rows[.spots], from: &reader),
      let centers = reader.tree(count: spots.count), reader.isAtEnd
    else { return nil }
    spots.centers = centers
    index.captions = captions
    index.computedSpots = spots
    index.mapping = file
    self = index
  }

  private static func map<Table: DeclaredTable>(
    _ table: inout Table, _ rowCount: Int?, from reader: inout MappedReader
  ) -> Bool {
    for schema in Table.columns where schema.isMapped {
      guard schema.map(&table, &reader, rowCount) else { return false }
    }
    return true
  }

  /// Returns whether every table whose rows are referred to unconditionally has rows.
  private static func haveRows(_ rows: [IndexTable: Int]) -> Bool {
    for (table, named) in [
      (.files, [.folders, .outcomes]), (.photos, [.files]), (.shots, [.files]),
      (.spots, [.files, .folders, .photos]),
    ] as [(IndexTable, [IndexTable])] where rows[table] ?? 0 > 0 {
      guard named.allSatisfy({ rows[$0] ?? 0 > 0 }) else { return false }
    }
    return true
  }
}

extension ColumnSchema {
  /// Whether the mapped file contains the column.
  var isMapped: Bool { places != .documentOnly }
}

/// The first line of a mapped file.
struct MappedHead {
  let layout: Int64
  let document: FileStatus.Identity
  let rows: [IndexTable: Int]
  let clusterRadiusMeters: Double
  let sections: [MappedSection]
  /// The small members of the index.
  let index: PhotoIndex
  /// The number of bytes up to the end of the line's hash.
  let length: Int

  /// The maximum length of the first line in bytes.
  private static let limit = 64 << 20

  /// Reads the head; `nil` if it is damaged.
  init?(_ file: MappedFile) {
    let limit = min(file.bytes.count, Self.limit)
    guard let end = file.bytes.prefix(limit).firstIndex(of: UInt8(ascii: "\n")),
      file.bytes.count - end > 8
    else { return nil }
    let line = UnsafeRawBufferPointer(rebasing: file.bytes[..<end])
    let hash = UInt64(
      littleEndian: file.bytes.loadUnaligned(fromByteOffset: end + 1, as: UInt64.self))
    guard XXH64.hash(line) == hash else { return nil }
    length = end + 9
    var parts = Parts()
    var reader = JSONReader(Array(line))
    guard (try? parts.read(&reader)) != nil, let index = parts.index else { return nil }
    self.index = index
    layout = parts.layout
    document = parts.document
    rows = parts.rows
    clusterRadiusMeters = parts.clusterRadiusMeters
    sections = parts.sections
  }

  private struct Parts {
    var layout: Int64 = 0
    var document = FileStatus.Identity(size: -1, modified: 0, inode: 0)
    var rows: [IndexTable: Int] = [:]
    var clusterRadiusMeters = 0.0
    var sections: [MappedSection] = []
    var index: PhotoIndex?

    mutating func read(_ reader: inout JSONReader) throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "layout": layout = try reader.integer()
        case "document": try readDocument(&reader)
        case "rows": try readRows(&reader)
        case "clusterRadius": clusterRadiusMeters = try reader.double()
        case "sections": try readSections(&reader)
        case "index": index = try PhotoIndex(head: &reader)
        default: try reader.skipValue()
        }
      }
      try reader.end()
    }

    private mutating func readDocument(_ reader: inout JSONReader) throws(JSONError) {
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "size": document.size = try reader.integer()
        case "modified": document.modified = try reader.integer()
        case "inode": document.inode = UInt64(bitPattern: try reader.integer())
        default: try reader.skipValue()
        }
      }
    }

    private mutating func readRows(_ reader: inout JSONReader) throws(JSONError) {
      let tables: [String: IndexTable] = [
        "folders": .folders, "captions": .captions, FileTable.name: .files,
        PhotoTable.name: .photos, "shots": .shots,
        SpotTable.name: .spots,
      ]
      try reader.beginObject()
      while let key = try reader.nextKey() {
        let count = try reader.integer()
        guard let table = tables[key], (0...Int64(Int32.max)).contains(count) else { continue }
        rows[table] = Int(count)
      }
    }

    private mutating func readSections(_ reader: inout JSONReader) throws(JSONError) {
      try reader.beginArray()
      while try reader.nextElement() {
        var numbers: [Int64] = []
        try reader.beginArray()
        while try reader.nextElement() { numbers.append(try reader.integer()) }
        guard numbers.count == 2 else {
          throw JSONError(offset: reader.offset, reason: "a section is [length, hash]")
        }
        sections.append(
          MappedSection(length: Int(numbers[0]), hash: UInt64(bitPattern: numbers[1])))
      }
    }
  }
}
