/// A locator of metadata in the movie box of QuickTime and MP4 files: QuickTime File Format, "Movie
/// Atoms", "User Data Atoms" and "Metadata"; ISO/IEC 14496-12, sections 8.2 and 8.10; 3GPP TS
/// 26.244, section 8.
///
/// Tracks are skipped. A truncated text is ignored, because a position with missing digits would be
/// wrong; of a long title or caption the beginning is read.
enum QuickTime {
  /// The maximum lengths in bytes of a title or caption and of another text.
  private static let (maximumCaptionLength, maximumTextLength) = (4096, 1024)

  /// Reads the metadata of a movie box, and locates the EXIF directories and XMP packets in it.
  static func locate(
    in movie: ISOBox, of bytes: inout PhotoBytes, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    var metadata = blocks.quickTime ?? QuickTimeMetadata()
    var boxes = ISOBoxes(in: movie.content)
    while let box = try boxes.next(in: &bytes) {
      switch (box.type, box.userType) {
      case ("mvhd", _) where metadata.creationTime == nil:
        metadata.creationTime = try creationTime(box, of: &bytes)
      case ("udta", _): try readUserData(box, of: &bytes, &metadata, &blocks)
      case ("meta", _): try readMetadata(box, of: &bytes, &metadata)
      case (_, .xmp?): blocks.keepXMP(box)
      // Movies for the web of the years around 2000.
      case ("cmov", _): blocks.skip("movie header", "it is compressed")
      case (_, .canon?) where blocks.exif == nil:
        guard let extract = try CR3.extract(from: box, of: &bytes) else { continue }
        blocks.exif = .bytes(Array(extract.block.tiff))
        blocks.damage = extract.damage ?? blocks.damage
      default: break
      }
      // Stored after each box, so that a truncated movie keeps what was found.
      blocks.quickTime = metadata
    }
  }

  private static func creationTime(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> UInt64? {
    var fields = ISOFields(in: box.content)
    guard let version = try fields.number(1, of: &bytes), version <= 1, fields.skip(3) else {
      return nil
    }
    return try fields.number(version == 1 ? 8 : 4, of: &bytes)
  }

  // MARK: - User data

  private static func readUserData(
    _ userData: ISOBox, of bytes: inout PhotoBytes, _ metadata: inout QuickTimeMetadata,
    _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) {
    var boxes = ISOBoxes(in: userData.content)
    while let box = try boxes.next(in: &bytes) {
      if let key = userDataKey(box.type), metadata.userData[key] == nil {
        metadata.userData[key] = try internationalText(box, as: key, of: &bytes)
      }
      switch box.type {
      case "loci" where metadata.place == nil: metadata.place = try place(box, of: &bytes)
      case "meta": try readMetadata(box, of: &bytes, &metadata)
      case "XMP_": blocks.keepXMP(box)
      default: break
      }
    }
  }

  private static func userDataKey(_ type: FourCharacterCode) -> QuickTimeMetadata.Key? {
    switch type {
    case "©xyz": .location
    case "©day": .creationDate
    case "©mak": .make
    case "©mod": .model
    case "©nam": .title
    case "©des": .caption
    default: nil
    }
  }

  /// Returns the first of a list of texts, each preceded by its length and language.
  private static func internationalText(
    _ box: ISOBox, as key: QuickTimeMetadata.Key, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> String? {
    var fields = ISOFields(in: box.content)
    guard let length = try fields.number(2, of: &bytes), fields.skip(2),
      length <= UInt64(fields.rest.count)
    else { return nil }
    return try text(in: fields.rest.prefix(Int(length)), as: key, of: &bytes)
  }

  private static func text(
    in range: Range<Int>, as key: QuickTimeMetadata.Key? = nil, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> String? {
    let isLongCaption = range.count > maximumTextLength && key?.isOfPerson == true
    guard range.count <= maximumTextLength || isLongCaption else { return nil }
    let length = min(range.count, maximumCaptionLength)
    let content = try bytes.bytes(at: range.lowerBound, count: length).prefix { $0 != 0 }
    let text = PhotoText.text(of: content, mayBeCut: isLongCaption).drop { $0.isWhitespace }
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(text[...last])
  }

  /// Parses a `loci` box: a language, a name, a role, and the longitude, latitude and altitude as
  /// 16.16 fixed-point numbers.
  private static func place(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> QuickTimeMetadata.Place? {
    var fields = ISOFields(in: box.content)
    guard fields.skip(6) else { return nil }
    guard try skipName(&fields, of: &bytes), fields.skip(1),
      let longitude = try fixedPoint(&fields, of: &bytes),
      let latitude = try fixedPoint(&fields, of: &bytes),
      let altitude = try fixedPoint(&fields, of: &bytes)
    else { return nil }
    return QuickTimeMetadata.Place(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  /// Skips a NUL-terminated text in UTF-8, or in UTF-16 with a byte-order mark.
  private static func skipName(
    _ fields: inout ISOFields, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Bool {
    var mark = fields
    guard try mark.number(2, of: &bytes) == 0xFEFF else {
      return try fields.text(of: &bytes) != nil
    }
    for _ in 0..<maximumTextLength {
      guard let unit = try mark.number(2, of: &bytes) else { return false }
      if unit == 0 {
        fields = mark
        return true
      }
    }
    return false
  }

  private static func fixedPoint(
    _ fields: inout ISOFields, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Double? {
    try fields.number(4, of: &bytes).map { number in
      Double(Int32(truncatingIfNeeded: number)) / 65_536
    }
  }

  // MARK: - Metadata keys

  private static func readMetadata(
    _ meta: ISOBox, of bytes: inout PhotoBytes, _ metadata: inout QuickTimeMetadata
  ) throws(PhotoBytesError) {
    // In MP4, the boxes are preceded by a version and flags; in QuickTime they are not.
    let isQuickTime = try bytes.hasPrefix("hdlr", at: meta.content.lowerBound + 4)
    var boxes = ISOBoxes(in: isQuickTime ? meta.content : meta.content.dropFirst(4))
    var keys: [UInt32: QuickTimeMetadata.Key] = [:]
    while let box = try boxes.next(in: &bytes) {
      switch box.type {
      case "keys": keys = try readKeys(box, of: &bytes)
      case "ilst": try readItems(box, keys, of: &bytes, &metadata)
      default: break
      }
    }
  }

  /// Returns the wanted keys by their numbers, which begin at 1.
  private static func readKeys(
    _ box: ISOBox, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> [UInt32: QuickTimeMetadata.Key] {
    var keys: [UInt32: QuickTimeMetadata.Key] = [:]
    // A key is encoded like a box: size, namespace, name.
    var entries = ISOBoxes(in: box.content.dropFirst(8))
    var number: UInt32 = 0
    while let entry = try entries.next(in: &bytes) {
      number += 1
      guard entry.type == "mdta", entry.isWhole, let name = try text(in: entry.content, of: &bytes),
        let key = QuickTimeMetadata.Key(rawValue: name)
      else { continue }
      keys[number] = key
    }
    return keys
  }

  /// Reads items whose type is the number of a key, or a user data type as in iTunes lists.
  private static func readItems(
    _ list: ISOBox, _ keys: [UInt32: QuickTimeMetadata.Key], of bytes: inout PhotoBytes,
    _ metadata: inout QuickTimeMetadata
  ) throws(PhotoBytesError) {
    var items = ISOBoxes(in: list.content)
    while let item = try items.next(in: &bytes) {
      let key = keys[item.type.number]
      guard let known = key ?? userDataKey(item.type) else { continue }
      var values = ISOBoxes(in: item.content)
      // A value is preceded by its type and language.
      guard let value = try values.next(in: &bytes), value.type == "data", value.isWhole,
        let text = try text(in: value.content.dropFirst(8), as: known, of: &bytes)
      else { continue }
      // A year alone is that of a release.
      if key == nil, known == .creationDate, WrittenDate(text)?.partial != nil { continue }
      if key != nil {
        metadata.keyed[known] = metadata.keyed[known] ?? text
      } else {
        metadata.userData[known] = metadata.userData[known] ?? text
      }
    }
  }
}
