#if Postgres
  import PhotoLibrary
  import Spatial

  /// The row of a spot.
  struct StoredSpot: Hashable {
    var id: Int64
    var center: Coordinate
    var anchor: Coordinate
    /// The greatest distance of a photo from the centre, in metres.
    var radius: Double
    /// Capture instants, in milliseconds since 1970.
    var firstCaptured: Int64?
    var lastCaptured: Int64?
    /// The id of the photo at the anchor.
    var anchorPhoto: Int64
    var cell: Int32
    var photoCount: Int32
    var favoriteCount: Int32
    var undatedCount: Int32
    /// Offsets from UTC in minutes; ``PhotoColumns/unknownOffset`` if unknown.
    var firstOffset: Int16
    var lastOffset: Int16
    var isOnRim: Bool
    var cover: [UInt8]
    /// The path of the folder; empty if it is the cover's folder.
    var album: [UInt8]

    /// The row's key, without the owner.
    struct Key: Hashable {
      let cell: Int32
      let anchor: Coordinate
    }

    /// The row's key.
    var key: Key { Key(cell: cell, anchor: anchor) }

    /// Returns whether spots of neighbouring cells may change if this spot replaces another one
    /// with the same key; `nil` for a spot that is added or removed.
    func concernsNeighbors(inPlaceOf other: StoredSpot?) -> Bool {
      guard let other else { return isOnRim }
      return isOnRim != other.isOnRim || isOnRim && anchorPhoto != other.anchorPhoto
    }
  }

  extension StoredSpot {
    /// Reads a row of ``WorkStatement/spots``.
    init(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
      self.init(
        id: try rows.int8(row, 0), center: try rows.coordinate(row, 1),
        anchor: try rows.coordinate(row, 3), radius: try rows.double(row, 5),
        firstCaptured: try rows.optionalInt8(row, 6), lastCaptured: try rows.optionalInt8(row, 7),
        anchorPhoto: try rows.int8(row, 8), cell: try rows.int4(row, 9),
        photoCount: try rows.int4(row, 10), favoriteCount: try rows.int4(row, 11),
        undatedCount: try rows.int4(row, 12), firstOffset: try rows.int2(row, 13),
        lastOffset: try rows.int2(row, 14), isOnRim: try rows.bool(row, 15),
        cover: try rows.bytes(row, 16), album: try rows.bytes(row, 17))
    }

    /// The columns as parameters of ``WorkStatement/addSpots``.
    static func values(_ spots: some Collection<StoredSpot>) -> [PostgresValue] {
      [
        .int8s(spots.map(\.id)), .doubles(spots.map(\.center.latitude)),
        .doubles(spots.map(\.center.longitude)), .doubles(spots.map(\.anchor.latitude)),
        .doubles(spots.map(\.anchor.longitude)), .doubles(spots.map(\.radius)),
        .optionalInt8s(spots.map(\.firstCaptured)), .optionalInt8s(spots.map(\.lastCaptured)),
        .int8s(spots.map(\.anchorPhoto)), .int4s(spots.map(\.cell)),
        .int4s(spots.map(\.photoCount)), .int4s(spots.map(\.favoriteCount)),
        .int4s(spots.map(\.undatedCount)), .int2s(spots.map(\.firstOffset)),
        .int2s(spots.map(\.lastOffset)), .bools(spots.map(\.isOnRim)),
        .byteStrings(spots.map(\.cover)), .byteStrings(spots.map(\.album)),
      ]
    }
  }
#endif
