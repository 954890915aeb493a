public import SystemPackage

/// A reader of the metadata in photo files.
///
/// A reader reuses its memory, so use one instance for many files, on one thread at a time. It
/// never writes to a file, and reads at most 4 MiB of each to find its metadata, and XMP packets
/// and their extensions, up to 256 MiB each, a piece at a time.
public struct MetadataReader: ~Copyable {
  /// The result of reading a file.
  public enum Reading: Hashable, Sendable {
    /// A photo and its properties, which may all be missing.
    case photo(PhotoProperties)
    /// A damaged photo, or a file with a photo's name but other content; with the reason.
    case malformed(String)
    /// Not a photo, in a file whose name does not claim otherwise.
    case notAPhoto
  }

  private var bytes = PhotoBytes()
  private var decoder = ExifDecoder()

  /// Creates a reader.
  public init() {}

  /// The number of bytes read of the last file.
  public var bytesRead: Int { bytes.bytesRead }

  /// The number of read calls for the last file.
  public var readCount: Int { bytes.readCount }

  /// Reads the metadata of an open file.
  ///
  /// - Parameters:
  ///   - file: A regular file, open for reading; its position is neither used nor changed.
  ///   - count: The size of the file in bytes.
  ///   - claimsToBePhoto: Whether the file's name is that of a photo.
  /// - Returns: The result, according to the content of the file, not its name.
  /// - Throws: The system's error if the file cannot be read.
  public mutating func read(
    _ file: FileDescriptor, count: Int, claimsToBePhoto: Bool = true
  ) throws(Errno) -> Reading {
    do throws(PhotoBytesError) {
      try bytes.open(file, count: count)
      return try read(claimsToBePhoto: claimsToBePhoto)
    } catch {
      switch error {
      case .io(let errno): throw errno
      case .beyondEnd: return .malformed("the file ends before its metadata does")
      case .overBudget: return .malformed("the metadata does not end within 4 MiB")
      }
    }
  }

  /// Reads the metadata of a file whose whole content is in memory.
  package mutating func read(_ content: [UInt8], claimsToBePhoto: Bool = true) -> Reading {
    bytes.open(content)
    do throws(PhotoBytesError) {
      return try read(claimsToBePhoto: claimsToBePhoto)
    } catch {
      return .malformed("the file ends before its metadata does")
    }
  }

  private mutating func read(claimsToBePhoto: Bool) throws(PhotoBytesError) -> Reading {
    for container in Self.containers where try container.recognizes(&bytes) {
      let blocks = try container.locate(in: &bytes)
      bytes.endSearch()
      return try properties(of: blocks)
    }
    guard claimsToBePhoto else { return .notAPhoto }
    return .malformed(bytes.count == 0 ? "the file is empty" : "the content is in no known format")
  }

  /// Decodes the located blocks. EXIF takes precedence over XMP, and both over the native metadata
  /// of a movie, but for dates, of which the more telling one does.
  private mutating func properties(
    of located: MetadataBlocks
  ) throws(PhotoBytesError) -> Reading {
    var properties = PhotoProperties()
    var blocks = located
    var damage = blocks.damage
    var sawWholeBlock = false
    for case let block? in [blocks.exif, blocks.furtherExif] {
      guard let (extract, memory) = try extract(from: block) else {
        blocks.skipExif()
        continue
      }
      guard decoder.decode(extract.block) else {
        blocks.skip("EXIF block", "there is not enough memory")
        continue
      }
      properties.complete(with: PhotoProperties(decoder))
      if let packet = extract.xmp { blocks.keep(packet: Self.block(packet, memory)) }
      if let iptc = extract.iptc { blocks.iptc = blocks.iptc ?? Self.block(iptc, memory) }
      sawWholeBlock = sawWholeBlock || extract.damage == nil
      damage = extract.damage ?? damage
    }
    try readPackets(&blocks, &properties)
    if let movie = blocks.quickTime { properties.complete(with: movie) }
    if properties.lacksOriginalDate || properties.title == nil || properties.caption == nil {
      try readIPTC(blocks, &properties, wantsDate: properties.lacksOriginalDate)
    }
    properties.unread += blocks.unread
    // A photo truncated after its metadata has lost none of its properties.
    if let damage, properties.coordinate == nil, !sawWholeBlock { return .malformed(damage) }
    return .photo(properties)
  }

  /// Reads the first XMP packet, and its extension and the others as long as a position or a date
  /// is wanted: Pixel phones put 100 KiB into the extension of every photo, none of which is used.
  private mutating func readPackets(
    _ blocks: inout MetadataBlocks, _ properties: inout PhotoProperties
  ) throws(PhotoBytesError) {
    for (place, block) in blocks.packets.enumerated() {
      guard place == 0 || properties.isMoreWanted else { return }
      guard let packet = try packet(block, "XMP packet", &blocks) else { continue }
      properties.complete(with: packet)
      guard properties.isMoreWanted, let name = packet.extensionName else { continue }
      guard let ranges = blocks.extendedXMP.ranges(name) else {
        blocks.skip("extended XMP", "its parts are missing or damaged")
        continue
      }
      if let more = try self.packet(.ranges(ranges), "extended XMP", &blocks) {
        properties.complete(with: more)
      }
    }
  }

  /// Reads the texts of IPTC metadata, which no picture has that was not edited, and its dates
  /// where they are wanted.
  private mutating func readIPTC(
    _ blocks: MetadataBlocks, _ properties: inout PhotoProperties, wantsDate: Bool
  ) throws(PhotoBytesError) {
    var found = blocks.iptc
    do throws(PhotoBytesError) {
      for resources in blocks.resources where found == nil {
        found = try iptc(in: resources)
      }
      var content: ArraySlice<UInt8>
      switch found {
      case .bytes(let bytes)?: content = bytes.prefix(IPTCDatasets.maximumLength)
      case .range(let range)?:
        content = try bytes.bytes(
          at: range.lowerBound, count: min(range.count, IPTCDatasets.maximumLength))
      case .ranges?, nil: return
      }
      // In a TIFF structure, the bytes may be padding.
      content = content.drop { $0 == 0 }
      let datasets = IPTCDatasets(content)
      properties.title = properties.title ?? datasets.title
      properties.caption = properties.caption ?? datasets.caption
      guard wantsDate else { return }
      let (created, digitized) = (datasets.created, datasets.digitized)
      properties.offer(text: created.date, from: .iptc, read: created.read)
      properties.offer(text: digitized.date, from: .iptcDigitized, read: digitized.read)
    } catch {
      if case .io = error { throw error }
      if wantsDate { properties.skip("IPTC metadata", "it is cut off") }
    }
  }

  /// Returns the IPTC metadata in image resources of Photoshop.
  private mutating func iptc(
    in resources: MetadataBlocks.Block
  ) throws(PhotoBytesError) -> MetadataBlocks.Block? {
    guard case .bytes(let content) = resources else {
      for range in resources.ranges {
        if let found = try IPTCDatasets.range(in: range, of: &bytes) { return .range(found) }
      }
      return nil
    }
    var memory = PhotoBytes()
    memory.open(content)
    return try IPTCDatasets.range(in: content.indices, of: &memory).map {
      .bytes(Array(content[$0]))
    }
  }

  /// Extracts the wanted entries of an EXIF block. If the block is in memory, `memory` is that.
  private mutating func extract(
    from block: MetadataBlocks.Block
  ) throws(PhotoBytesError) -> (TIFF.Extract, memory: [UInt8]?)? {
    switch block {
    case .range(let range):
      return try TIFF.extract(from: range, of: &bytes).map { ($0, nil) }
    case .ranges: return nil
    case .bytes(let block):
      var memory = PhotoBytes()
      memory.open(block)
      return try TIFF.extract(from: block.indices, of: &memory).map { ($0, block) }
    }
  }

  /// Returns a block inside an EXIF block, which is in the file or in memory.
  private static func block(_ range: Range<Int>, _ memory: [UInt8]?) -> MetadataBlocks.Block {
    memory.map { .bytes(Array($0[range])) } ?? .range(range)
  }

  /// Reads an XMP packet in pieces, and notes what cannot be read; `nil` if nothing can.
  private mutating func packet(
    _ block: MetadataBlocks.Block, _ name: String, _ blocks: inout MetadataBlocks
  ) throws(PhotoBytesError) -> XMPPacket? {
    var packet = XMPPacket()
    if case .bytes(let content) = block { packet.add(content[...]) }
    var left = XMPPacket.maximumLength
    do throws(PhotoBytesError) {
      for range in block.ranges {
        var rest = range.prefix(left)
        left -= rest.count
        while !rest.isEmpty, !packet.isFinished {
          let piece = rest.prefix(XMPPacket.pieceLength)
          packet.add(try bytes.piece(at: piece.lowerBound, count: piece.count))
          rest = rest.dropFirst(piece.count)
        }
      }
    } catch {
      guard case .io = error else {
        blocks.skip(name, "the file ends within it")
        return nil
      }
      throw error
    }
    let isCut = left == 0 && !packet.isFinished
    packet.finish()
    if isCut {
      blocks.skip(name, "only its first \(XMPPacket.maximumLength >> 20) MiB are read")
    } else if let error = packet.error {
      blocks.skip(name, error)
    }
    return packet
  }

  /// The supported formats, the most common first.
  private static let containers: [any MetadataContainer.Type] = [
    JPEG.self, ISOMedia.self, TIFF.self, PNG.self, WebP.self, RAF.self, Codestream.self, GIF.self,
    PSD.self, MRW.self, X3F.self, CRW.self, EXV.self,
  ]
}
