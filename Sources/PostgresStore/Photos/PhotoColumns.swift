#if Postgres
  import CivilTime
  import PhotoLibrary
  import PhotoMetadata
  import Spatial

  /// Photos of a store, column by column: a million are a few arrays, not a million objects.
  struct PhotoColumns {
    /// Properties of a photo, as the column `flags` has them.
    enum Flag {
      static let favorite: Int16 = 1
      /// The file that stands for the shot can be shown itself.
      static let isPicture: Int16 = 2
    }

    /// The offset from UTC of a photo that does not say it.
    static let unknownOffset = Int16.min

    private(set) var id: [Int64] = []
    private(set) var position: [Coordinate] = []
    private(set) var captured: [Int64?] = []
    private(set) var cell: [Int32] = []
    private(set) var source: [Int32] = []
    private(set) var utcOffset: [Int16] = []
    private(set) var rating: [Int16] = []
    private(set) var flags: [Int16] = []
    /// The paths and pictures of all photos, one after another.
    private var text: [UInt8] = []
    private var pathEnd: [Int] = []
    private var pictureEnd: [Int] = []

    /// The number of photos.
    var count: Int { id.count }

    /// The path of a photo.
    func path(_ row: Int) -> ArraySlice<UInt8> {
      text[(row == 0 ? 0 : pictureEnd[row - 1])..<pathEnd[row]]
    }

    /// The path of the file of the shot that can be shown; empty where it is ``path(_:)`` or none.
    func picture(_ row: Int) -> ArraySlice<UInt8> { text[pathEnd[row]..<pictureEnd[row]] }

    /// The path of the file that stands for a photo; `nil` where none of the shot can be shown.
    func shownPath(_ row: Int) -> ArraySlice<UInt8>? {
      if flags[row] & Flag.isPicture != 0 { return path(row) }
      let picture = picture(row)
      return picture.isEmpty ? nil : picture
    }

    /// The folder of the file that stands for the shot.
    func folder(_ row: Int) -> ArraySlice<UInt8> { Self.folder(of: path(row)) }

    /// The folder of a path.
    static func folder(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
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
      pathEnd.append(text.count)
      text.append(contentsOf: picture)
      pictureEnd.append(text.count)
    }

    /// Appends a photo of a source, whose id is a hash of all that is known of it.
    mutating func append(_ member: SpotMember, source: Int32, salt: Int64) {
      var flags: Int16 = member.isFavorite ? Flag.favorite : 0
      if member.picture == member.path { flags |= Flag.isPicture }
      append(
        id: Self.id(of: member, source: source, salt: salt), position: member.coordinate,
        captured: member.captured?.instant.millisecondsSince1970,
        cell: CellKey.key(of: member.coordinate), source: source,
        utcOffset: member.captured?.utcOffsetMinutes.flatMap { Int16(exactly: $0) }
          ?? Self.unknownOffset,
        rating: Int16(member.rating), flags: flags, path: member.path,
        picture: member.picture == member.path ? [] : member.picture ?? [])
    }

    /// A hash of all that a source says of a photo, to tell changed photos without reading them. It
    /// depends on a number of the owner, so that nobody can prepare files with one hash.
    static func id(of member: SpotMember, source: Int32, salt: Int64) -> Int64 {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(160)
      bytes.append(bigEndian: salt)
      bytes.append(bigEndian: source)
      bytes.append(bigEndian: member.coordinate.latitude.bitPattern)
      bytes.append(bigEndian: member.coordinate.longitude.bitPattern)
      bytes.append(member.captured == nil ? 0 : 1)
      bytes.append(bigEndian: member.captured?.instant.millisecondsSince1970 ?? 0)
      bytes.append(bigEndian: member.captured?.utcOffsetMinutes ?? .min)
      bytes.append(bigEndian: member.rating)
      bytes.append(member.isFavorite ? 1 : 0)
      bytes.append(contentsOf: member.path)
      // No path holds the byte.
      bytes.append(0)
      bytes.append(contentsOf: member.picture ?? [0])
      return unsafe bytes.withUnsafeBytes { Int64(bitPattern: unsafe XXH64.hash($0)) }
    }

    // MARK: - Canonical order

    /// The rows in canonical order: by capture instant, undated ones last, then by the bytes of the
    /// paths, then by source.
    func canonicalOrder() -> [Int32] {
      let keys = captured.map { $0 ?? .max }
      var order = RadixSort.order(of: keys)
      var start = 0
      while start < order.count {
        let key = keys[Int(order[start])]
        var end = start + 1
        while end < order.count, keys[Int(order[end])] == key { end += 1 }
        if end - start > 1 {
          order[start..<end].sort { alikeBefore(Int($0), Int($1)) }
        }
        start = end
      }
      return order
    }

    /// Whether a photo precedes another one of the same instant, or both are undated.
    private func alikeBefore(_ left: Int, _ right: Int) -> Bool {
      let (isUndated, otherIsUndated) = (captured[left] == nil, captured[right] == nil)
      if isUndated != otherIsUndated { return otherIsUndated }
      let (path, other) = (path(left), path(right))
      if path.lexicographicallyPrecedes(other) { return true }
      if other.lexicographicallyPrecedes(path) { return false }
      return source[left] < source[right]
    }
  }
#endif
