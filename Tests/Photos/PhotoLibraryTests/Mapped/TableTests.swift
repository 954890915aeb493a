import Encodings
import Storage
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// A table with a column of each kind.
private struct SampleTable: DeclaredTable, Equatable {
  var name = TextColumn()
  var file = Column<FileID>()
  var altitude = Column<Double?>()
  var files = ListColumn<FileID>()
  var camera = Column<CameraID?>()

  typealias Row = Rows.Files

  static let name = "sample"
  static let columns: [ColumnSchema<SampleTable>] = [
    .init("name", { $1(&$0.name) }, "text"), .init("file", { $1(&$0.file) }, "a place in files"),
    .init("altitude", { $1(&$0.altitude) }, "metres"),
    .init("files", { $1(&$0.files) }, "places in files"),
    .init("camera", { $1(&$0.camera) }, "since later", mayBeMissing: true),
  ]

  var count: Int { name.count }

  static let example: SampleTable = {
    var table = SampleTable()
    for row in 0..<3 {
      table.name.append(Array("é\(row)".utf8))
      table.file.append(FileID(row))
      table.altitude.append(row == 1 ? nil : Double(row) + 0.5)
      table.files.append((0..<row).map { FileID($0) })
      table.camera.append(row == 0 ? CameraID(4) : nil)
    }
    return table
  }()
}

@Suite struct TableTests {
  private static let text = """
    {"sample":{"name":["é0","é1","é2"],"file":[0,1,2],"altitude":[0.5,null,2.5],\
    "files":[[],[0],[0,1]],"camera":[4,null,null]}}
    """

  private func read(_ text: String) throws -> SampleTable {
    var reading = TableReading(SampleTable())
    var reader = JSONReader(Array(text.utf8))
    try reader.beginObject()
    while try reader.nextKey() != nil { try reading.read(&reader) }
    return try reading.finish()
  }

  @Test func `a declared column is written and read`() throws {
    var writer = JSONWriter()
    try writer.object { (writer) throws(Errno) in
      try SampleTable.example.write(to: &writer) { _ throws(Errno) in }
    }
    #expect(writer.text == Self.text)
    #expect(try read(Self.text) == .example)
  }

  @Test func `a missing optional column is null in every row, and a required one is damage`() throws
  {
    let old = Self.text.replacing(",\"camera\":[4,null,null]", with: "")
    #expect(try read(old).camera.map { $0 } == [nil, nil, nil])
    #expect(throws: IndexFormatError.self) {
      try read(Self.text.replacing("\"file\":[0,1,2],", with: ""))
    }
    #expect(throws: IndexFormatError.self) {
      try read(Self.text.replacing("[0.5,null,2.5]", with: "[0.5]"))
    }
  }

  @Test func `references in a mapped column always point to existing rows`() throws {
    let folder = TemporaryFolder()
    let path = folder.path("numbers")
    let numbers: [Int32] = [0, 4, 5, -1, .min, .max]
    try folder.write(
      numbers.flatMap { Swift.withUnsafeBytes(of: $0.littleEndian) { Array($0) } }, to: path)
    let file = try MappedFile(path, limit: 100)
    let values = try #require(MappedValues<Int32>(file.bytes, owner: file))
    #expect(Column<FileID>(mapped: values, rowCount: 5).map(\.row) == [0, 4, 0, 0, 0, 0])
    #expect(
      Column<FileID?>(mapped: values, rowCount: 5).map { $0?.row } == [0, 4, nil, nil, nil, nil])
    let texts = TextColumn(
      elements: Column(own: Array("abcd".utf8)), ends: Column(mapped: values, rowCount: 0))
    #expect(texts.map { String(decoding: $0, as: UTF8.self) } == ["", "abcd", "", "", "", "abcd"])
  }

  @Test func `changes to a mapped column stay in memory`() throws {
    let folder = TemporaryFolder()
    try folder.write([1, 2, 3], to: "bytes")
    let file = try MappedFile(folder.path("bytes"), limit: 100)
    var column = Column<UInt8>(
      mapped: try #require(MappedValues(file.bytes, owner: file)), rowCount: 0)
    let before = column
    column[1] = 9
    column.append(4)
    #expect(Array(column) == [1, 9, 3, 4] && Array(before) == [1, 2, 3])
    #expect(try folder.contents(of: folder.path("bytes")) == [1, 2, 3])
  }
}
