#if Postgres
  import CivilTime
  import PhotoLibrary
  import PhotoMetadata
  import Spatial

  /// Photos of a store, with an array for each column, so that a million take few allocations.
  struct PhotoColumns {
    /// The bits of the column `flags`.
    enum Flag {
      static let favorite: Int16 = 1
      /// Browsers can show the file that represents the shot.
      static let isPicture: Int16 = 2
    }

    /// The value of the column `utc_offset` for an unknown offset from UTC.
    static let unknownOffset = Int16.min

    private(set) var id: [Int64] = []
    private(set) var position: [Coordinate] = []
    private(set) var captured: [Int64?] = []
    private(set) var cell: [Int32] = []
    private(set) var source: [Int32] = []
    private(set) var utcOffset: [Int16] = []
    private(set) var rating: [Int16] = []
    private(set) var flags: [Int16] = []
    /// The path and the picture's path of each photo, one after another.
    private var text: [UInt8] = []
    /// The number of the folder of each path.
    private(set) var folder: [Int32] = []
    private var folders = FolderNumbers()
    private var pathEnd: [Int] = []
    private var pictureEnd: [Int] = []

    /// The number of photos.
    var count: Int { id.count }

    /// Returns the capture time in milliseconds since 1970; `nil` also for a day from a name.
    func statedCaptured(_ row: Int) -> Int64? {
      Int(utcOffset[row]) == CaptureTime.dayInNameOffset ? nil : captured[row]
    }

    /// Returns the path of the file that represents a photo.
    func path(_ row: Int) -> ArraySlice<UInt8> {
      text[(row == 0 ? 0 : pictureEnd[row - 1])..<pathEnd[row]]
    }

    /// Returns the path of another file of the shot that browsers can show; empty if there is none.
    func picture(_ row: Int) -> ArraySlice<UInt8> { text[pathEnd[row]..<pictureEnd[row]] }

    /// Returns the path of the most suitable file of the shot as a cover.
    func representative(_ row: Int) -> ArraySlice<UInt8> {
      let picture = picture(row)
      return picture.isEmpty ? path(row) : picture
    }

    /// The number of folders, which are numbered from 0.
    var folderCount: Int { folders.ranges.count }

    /// Returns the path of a folder.
    func folderPath(_ number: Int32) -> ArraySlice<UInt8> { text[folders.ranges[Int(number)]] }

    /// Returns the folder of a path: `/` for a file in the root folder, empty for a path without a
    /// slash.
    static func folder(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path.prefix(0) }
      return path[..<max(slash, path.startIndex + 1)]
    }

    /// Appends a photo.
    mutating func append(
      id: Int64, position: Coordinate, captured: Int64?, cell: Int32, source: Int32,
      utcOffset: Int16, rating: Int16, flags: Int16, path: some Sequence<UInt8>,
      picture: some Sequence<UInt8>
    ) {
      self.id.append(id)
      self.position.append(position)
      self.captured.append(captured)
      self.cell.append(cell)
      self.source.append(source)
      self.utcOffset.append(utcOffset)
      self.rating.append(rating)
      self.flags.append(flags)
      text.append(contentsOf: path)
      endPath()
      text.append(contentsOf: picture)
      pictureEnd.append(text.count)
    }

    /// Records the end of the path that was just appended to the text, and its folder.
    private mutating func endPath() {
      folder.append(folders.number(of: Self.folder(of: text[(pictureEnd.last ?? 0)...]), in: text))
      pathEnd.append(text.count)
    }

    /// Appends the rows of ``WorkStatement/photos`` or ``WorkStatement/photosOnRim``.
    mutating func append(_ rows: PostgresRows) throws(PostgresError) {
      reserve(count + rows.count)
      for row in 0..<rows.count {
        id.append(try rows.int8(row, 0))
        captured.append(try rows.optionalInt8(row, 1))
        position.append(try rows.coordinate(row, 2))
        cell.append(try rows.int4(row, 4))
        source.append(try rows.int4(row, 5))
        utcOffset.append(try rows.int2(row, 6))
        rating.append(try rows.int2(row, 7))
        flags.append(try rows.int2(row, 8))
        try rows.appendBytes(row, 9, to: &text)
        endPath()
        try rows.appendBytes(row, 10, to: &text)
        pictureEnd.append(text.count)
      }
    }

    /// Appends a photo of a source by its key.
    mutating func append(_ member: SpotMember, key: PhotoKey, source: Int32) {
      var flags: Int16 = member.isFavorite ? Flag.favorite : 0
      if member.picture == member.path { flags |= Flag.isPicture }
      append(
        id: key.id, position: member.coordinate,
        captured: member.captured?.instant.millisecondsSince1970, cell: key.cell, source: source,
        utcOffset: member.captured?.storedOffset.flatMap { Int16(exactly: $0) }
          ?? Self.unknownOffset,
        rating: Int16(member.rating), flags: flags, path: member.path,
        picture: member.picture == member.path ? [] : member.picture ?? [])
    }

    /// Reserves capacity for a total number of photos, at least twice the present one.
    private mutating func reserve(_ count: Int) {
      guard count > id.capacity else { return }
      let count = max(count, 2 * id.capacity)
      id.reserveCapacity(count)
      position.reserveCapacity(count)
      captured.reserveCapacity(count)
      cell.reserveCapacity(count)
      source.reserveCapacity(count)
      utcOffset.reserveCapacity(count)
      rating.reserveCapacity(count)
      flags.reserveCapacity(count)
      folder.reserveCapacity(count)
      pathEnd.reserveCapacity(count)
      pictureEnd.reserveCapacity(count)
    }

    // MARK: - Canonical order

    /// Returns the rows in canonical order: by capture instant with undated photos last, then by
    /// the bytes of the paths, then by source.
    func canonicalOrder() -> [Int32] {
      let keys = captured.map { $0 ?? .max }
      var order = RadixSort.order(of: keys)
      var start = 0
      while start < order.count {
        let key = keys[Int(order[start])]
        var end = start + 1
        while end < order.count, keys[Int(order[end])] == key { end += 1 }
        if end - start > 1 {
          order[start..<end].sort { precedes(Int($0), Int($1)) }
        }
        start = end
      }
      return order
    }

    /// Returns whether a photo precedes another one with the same sort key: dated before undated,
    /// then by path, then by source.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
      let (isUndated, otherIsUndated) = (captured[left] == nil, captured[right] == nil)
      if isUndated != otherIsUndated { return otherIsUndated }
      let (path, other) = (path(left), path(right))
      if path.lexicographicallyPrecedes(other) { return true }
      if other.lexicographicallyPrecedes(path) { return false }
      return source[left] < source[right]
    }
  }
#endif
