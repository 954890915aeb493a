/// A builder of RAW files that are TIFF structures and contain JPEG files.
public struct RAWFile: Sendable {
  /// A directory of the chain, or a subdirectory.
  public indirect enum Part: Sendable {
    /// A directory with its content.
    case directory(
      orientation: UInt16?, preview: [UInt8]?, strip: [UInt8]?, subdirectory: Part?)

    /// Creates a directory.
    ///
    /// - Parameters:
    ///   - orientation: The orientation of the photo.
    ///   - preview: A JPEG file that the entries 0x0201 and 0x0202 refer to.
    ///   - strip: A JPEG file that is the directory's only strip.
    ///   - subdirectory: A directory that the entry SubIFDs refers to.
    public init(
      orientation: UInt16? = nil, preview: [UInt8]? = nil, strip: [UInt8]? = nil,
      subdirectory: Part? = nil
    ) {
      self = .directory(
        orientation: orientation, preview: preview, strip: strip, subdirectory: subdirectory)
    }
  }

  /// The chain of directories.
  public var directories: [Part]
  /// Whether numbers are big-endian.
  public var isBigEndian = false
  /// The magic number after the byte order.
  public var magic: UInt16 = 42
  /// Whether the last directory refers to the first one.
  public var isCircle = false

  /// Creates a file.
  public init(directories: [Part], isBigEndian: Bool = false) {
    (self.directories, self.isBigEndian) = (directories, isBigEndian)
  }

  /// The content of the file.
  public var bytes: [UInt8] {
    var file = Array((isBigEndian ? "MM" : "II").utf8) + number(magic) + number(UInt32(8))
    for (index, directory) in directories.enumerated() {
      let next = append(directory, to: &file)
      let end = index == directories.count - 1
      let offset = UInt32(end ? (isCircle ? 8 : 0) : file.count)
      file.replaceSubrange(next..<next + 4, with: number(offset))
    }
    return file
  }

  private func number(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? number.bigEndian : number.littleEndian) { Array($0) }
  }

  /// Appends a directory and its content; returns the position for the offset of the next
  /// directory.
  private func append(_ part: Part, to file: inout [UInt8]) -> Int {
    guard case .directory(let orientation, let preview, let strip, let subdirectory) = part else {
      return 0
    }
    var entries: [(tag: UInt16, content: [UInt8]?, length: UInt32)] = []
    if let strip { entries += [(0x111, strip, 0), (0x117, nil, UInt32(strip.count))] }
    if let preview { entries += [(0x201, preview, 0), (0x202, nil, UInt32(preview.count))] }
    let count = entries.count + (orientation == nil ? 0 : 1) + (subdirectory == nil ? 0 : 1)
    let start = file.count
    let end = start + 2 + count * 12 + 4
    var table = number(UInt16(count))
    var contents: [UInt8] = []
    if let orientation {
      table +=
        number(UInt16(0x112)) + number(UInt16(3)) + number(UInt32(1)) + number(orientation)
        + number(UInt16(0))
    }
    for entry in entries {
      table += number(entry.tag) + number(UInt16(4)) + number(UInt32(1))
      table += number(entry.content == nil ? entry.length : UInt32(end + contents.count))
      contents += entry.content ?? []
    }
    if subdirectory != nil {
      table += number(UInt16(0x14A)) + number(UInt16(4)) + number(UInt32(1))
      table += number(UInt32(end + contents.count))
    }
    file += table + number(UInt32(0)) + contents
    if let subdirectory { _ = append(subdirectory, to: &file) }
    return end - 4
  }
}

/// A builder of Canon CR3 files that contain only what is needed for their JPEG files.
public struct CR3File: Sendable {
  private let preview: [UInt8]
  private let sample: [UInt8]

  /// Creates a file with a preview in its box and another JPEG file as the sample of a track.
  public init(preview: [UInt8], sample: [UInt8]) {
    (self.preview, self.sample) = (preview, sample)
  }

  /// The content of the file.
  public var bytes: [UInt8] {
    let type = Box.fileType("crx ", "crx ", "isom")
    let previewBox = Box(
      "uuid", userType: "eaf42b5e1c984b88b9fbb7dc406e4d16",
      [0, 0, 0, 0, 0, 0, 0, 1]
        + Box(
          "PRVW", [UInt8](repeating: 0, count: 12) + Box.number(UInt32(preview.count)) + preview
        )
        .bytes)
    let length = movie(sampleStart: 0).bytes.count
    let start = type.bytes.count + length + previewBox.bytes.count + 8
    return [type, movie(sampleStart: UInt64(start)), previewBox, Box("mdat", sample)].file
  }

  private func movie(sampleStart: UInt64) -> Box {
    let sizes = Box.full(
      "stsz", Box.number(UInt32(0)) + Box.number(UInt32(1)) + Box.number(UInt32(sample.count)))
    let places = Box.full("co64", Box.number(UInt32(1)) + Box.number(sampleStart))
    let table = Box("stbl", [sizes, places])
    let track = Box("trak", [Box("mdia", [Box("minf", [table])])])
    let canon = Box("uuid", userType: "85c0b687820f11e08111f4ce462b6a48", [Box("CNCV", [0])])
    return Box("moov", [canon, track])
  }
}
