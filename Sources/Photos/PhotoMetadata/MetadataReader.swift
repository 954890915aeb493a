public import SystemPackage

/// A reader of the metadata in photo files.
///
/// A reader reuses its memory, so use one instance for many files, on one thread at a time. It
/// never writes to a file, and reads at most 4 MiB of each.
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
  /// of a movie.
  private mutating func properties(
    of blocks: MetadataBlocks
  ) throws(PhotoBytesError) -> Reading {
    var properties = PhotoProperties()
    var damage = blocks.damage
    var sawWholeBlock = false
    var packet = blocks.xmp
    for case let block? in [blocks.exif, blocks.furtherExif] {
      guard let (extract, packetInside) = try extract(from: block),
        decoder.decode(extract.block)
      else { continue }
      properties.complete(with: PhotoProperties(decoder))
      packet = packet ?? packetInside
      sawWholeBlock = sawWholeBlock || extract.damage == nil
      damage = extract.damage ?? damage
    }
    if let packet, let packet = try content(of: packet) {
      let packet = XMPPacket(packet)
      properties.complete(with: packet)
      // Pixel phones put 100 KiB into the extension of every photo, none of which is used.
      let isMoreWanted = properties.coordinate == nil || properties.captured == nil
      if isMoreWanted, let name = packet.extensionName,
        let more = try blocks.extendedXMP.joined(name, of: &bytes)
      {
        properties.complete(with: XMPPacket(more[...]))
      }
    }
    if let movie = blocks.quickTime { properties.complete(with: movie) }
    // A photo truncated after its metadata has lost none of its properties.
    if let damage, properties.coordinate == nil, !sawWholeBlock { return .malformed(damage) }
    return .photo(properties)
  }

  /// Extracts the wanted entries of an EXIF block and locates the XMP packet in it.
  private mutating func extract(
    from block: MetadataBlocks.Block
  ) throws(PhotoBytesError) -> (TIFF.Extract, packet: MetadataBlocks.Block?)? {
    switch block {
    case .range(let range):
      guard let extract = try TIFF.extract(from: range, of: &bytes) else { return nil }
      return (extract, extract.xmp.map { .range($0) })
    case .bytes(let block):
      var memory = PhotoBytes()
      memory.open(block)
      guard let extract = try TIFF.extract(from: block.indices, of: &memory) else { return nil }
      return (extract, extract.xmp.map { .bytes(Array(block[$0])) })
    }
  }

  /// Reads an XMP packet, up to the maximum length; `nil` if the file has become shorter.
  private mutating func content(
    of packet: MetadataBlocks.Block
  ) throws(PhotoBytesError) -> ArraySlice<UInt8>? {
    switch packet {
    case .bytes(let packet): return packet.prefix(MetadataBlocks.maximumPacketLength)
    case .range(let packet):
      let length = min(packet.count, MetadataBlocks.maximumPacketLength)
      do throws(PhotoBytesError) {
        return try bytes.bytes(at: packet.lowerBound, count: length)
      } catch {
        guard case .io = error else { return nil }
        throw error
      }
    }
  }

  /// The supported formats, the most common first.
  private static let containers: [any MetadataContainer.Type] = [
    JPEG.self, ISOMedia.self, TIFF.self, PNG.self, WebP.self, RAF.self, Codestream.self, GIF.self,
    PSD.self, MRW.self, X3F.self, CRW.self, EXV.self,
  ]
}
