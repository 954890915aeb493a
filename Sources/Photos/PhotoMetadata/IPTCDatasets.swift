/// The dates and texts in IPTC metadata: IPTC-NAA Information Interchange Model, version 4.2,
/// sections 1.5 (datasets) and 6 (record 2).
struct IPTCDatasets {
  /// A date, `CCYYMMDD`, and a time, `HHMMSS±HHMM`.
  struct Texts {
    let date: String?
    let time: String?

    /// Joins the date and the time; without a readable time, the date alone.
    func read(_ date: String) -> WrittenDate? {
      time.flatMap { WrittenDate(date + "T" + $0) } ?? WrittenDate(date)
    }
  }

  /// Datasets 2:55 and 2:60: when the content was created.
  let created: Texts
  /// Datasets 2:62 and 2:63: when it was digitized.
  let digitized: Texts

  /// Dataset 2:05, or 2:105: the title, or the headline.
  let title: String?
  /// Dataset 2:120: the caption.
  let caption: String?

  /// The numbers of the datasets in record 2 that are read.
  private static let wanted: Set<UInt8> = [5, 55, 60, 62, 63, 105, 120]
  /// The maximum number of datasets; real files have a few dozen.
  private static let maximumDatasets = 4096
  /// The number of bytes read of the metadata.
  static let maximumLength = 64 << 10

  /// Reads datasets, up to the first that is cut off or has an extended length, which none of these
  /// has.
  init(_ bytes: ArraySlice<UInt8>) {
    var values: [UInt8: ArraySlice<UInt8>] = [:]
    var rest = bytes
    for _ in 0..<Self.maximumDatasets {
      // A marker, the record, the dataset, and the length.
      let header = Array(rest.prefix(5))
      guard header.count == 5, header[0] == 0x1C else { break }
      let length = Int(header[3]) << 8 | Int(header[4])
      let value = rest.dropFirst(5).prefix(length)
      guard length < 0x8000, value.count == length else { break }
      if header[1] == 2, Self.wanted.contains(header[2]), values[header[2]] == nil {
        values[header[2]] = value
      }
      rest = rest[value.endIndex...]
    }
    let ascii = { (number: UInt8) in values[number].map { String(decoding: $0, as: UTF8.self) } }
    let words = { (number: UInt8) in
      PhotoText.ofPerson(values[number].map { PhotoText.text(of: $0, mayBeCut: false) })
    }
    created = Texts(date: ascii(55), time: ascii(60))
    digitized = Texts(date: ascii(62), time: ascii(63))
    title = words(5) ?? words(105)
    caption = words(120)
  }

  /// Returns the range of the IPTC metadata, resource 1028, in a sequence of image resources; `nil`
  /// if there is none (Adobe Photoshop File Formats Specification, "Image Resource Blocks").
  static func range(
    in resources: Range<Int>, of bytes: inout PhotoBytes
  ) throws(PhotoBytesError) -> Range<Int>? {
    var offset = resources.lowerBound
    for _ in 0..<maximumDatasets where offset + 12 <= resources.upperBound {
      guard try bytes.hasPrefix("8BIM", at: offset) else { return nil }
      let nameLength = Int(try bytes.byte(at: offset + 6))
      let lengthStart = offset + 6 + (nameLength + 2) / 2 * 2
      guard lengthStart + 4 <= resources.upperBound else { return nil }
      let length = Int(try bytes.uint32(at: lengthStart, .big))
      let content = lengthStart + 4..<lengthStart + 4 + length
      if try bytes.uint16(at: offset + 4, .big) == 1028 { return content.clamped(to: resources) }
      offset = content.upperBound + length % 2
    }
    return nil
  }
}
