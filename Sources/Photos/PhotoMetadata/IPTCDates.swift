/// The dates in IPTC metadata: IPTC-NAA Information Interchange Model, version 4.2, sections 1.5
/// (datasets) and 6 (record 2).
struct IPTCDates {
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

  /// The maximum number of datasets; real files have a few dozen.
  private static let maximumDatasets = 4096
  /// The number of bytes read of the metadata.
  static let maximumLength = 64 << 10

  /// Reads datasets, up to the first that is cut off or has an extended length, which no date has.
  init(_ bytes: ArraySlice<UInt8>) {
    var texts: [UInt8: String] = [:]
    var rest = bytes
    for _ in 0..<Self.maximumDatasets {
      // A marker, the record, the dataset, and the length.
      let header = Array(rest.prefix(5))
      guard header.count == 5, header[0] == 0x1C else { break }
      let length = Int(header[3]) << 8 | Int(header[4])
      let value = rest.dropFirst(5).prefix(length)
      guard length < 0x8000, value.count == length else { break }
      if header[1] == 2, [55, 60, 62, 63].contains(header[2]), texts[header[2]] == nil {
        texts[header[2]] = String(decoding: value, as: UTF8.self)
      }
      rest = rest[value.endIndex...]
    }
    created = Texts(date: texts[55], time: texts[60])
    digitized = Texts(date: texts[62], time: texts[63])
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
