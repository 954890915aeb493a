/// The number of a row of a table, which cannot be confused with a row of another table.
struct RowID<Table: TableRows>: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number, from 0.
  let number: Int32

  /// The number as an index of a collection.
  var row: Int { Int(number) }

  /// Creates the number of a row.
  ///
  /// - Precondition: There are at most 2³¹ − 1 rows.
  init(_ row: Int) {
    precondition(row >= 0 && row <= Int(Int32.max))
    number = Int32(truncatingIfNeeded: row)
  }

  init(number: Int32) {
    self.number = number
  }

  static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The tables of an index.
enum IndexTable: String {
  case folders, files, photos, unlocated, shots, spots, outcomes, cameras, focalLengths, captions

  /// The name of the table in the document.
  var name: String { rawValue }
}

/// A marker type that distinguishes the rows of a table from those of others.
protocol TableRows {
  static var table: IndexTable { get }
}

/// The marker types of tables.
enum Rows {
  enum Folders: TableRows { static var table: IndexTable { .folders } }
  enum Files: TableRows { static var table: IndexTable { .files } }
  enum Photos: TableRows { static var table: IndexTable { .photos } }
  enum Unlocated: TableRows { static var table: IndexTable { .unlocated } }
  enum Shots: TableRows { static var table: IndexTable { .shots } }
  enum Spots: TableRows { static var table: IndexTable { .spots } }
  enum Outcomes: TableRows { static var table: IndexTable { .outcomes } }
  enum Cameras: TableRows { static var table: IndexTable { .cameras } }
  enum FocalLengths: TableRows { static var table: IndexTable { .focalLengths } }
  enum Captions: TableRows { static var table: IndexTable { .captions } }
}

typealias FolderID = RowID<Rows.Folders>
typealias FileID = RowID<Rows.Files>
typealias PhotoID = RowID<Rows.Photos>
typealias ShotID = RowID<Rows.Shots>
typealias SpotRow = RowID<Rows.Spots>
typealias OutcomeID = RowID<Rows.Outcomes>
typealias CameraID = RowID<Rows.Cameras>
typealias FocalLengthID = RowID<Rows.FocalLengths>
typealias CaptionID = RowID<Rows.Captions>
