public import SystemPackage

/// A file beside a photo that speaks for it.
public struct Sidecar: Hashable, Sendable {
  /// What a sidecar holds.
  public enum Kind: Hashable, Sendable {
    /// An XMP packet, as photo managers write it.
    case xmp
    /// The JSON that Google Takeout puts beside a photo.
    case takeout
  }

  /// What it holds.
  public let kind: Kind
  /// The file.
  public let path: FilePath

  /// Creates a sidecar.
  public init(kind: Kind, path: FilePath) {
    self.kind = kind
    self.path = path
  }

  /// Sidecars are a few kilobytes; a file beyond this is something else.
  private static let maximumLength = 1 << 20

  /// Fills in what the sidecar says and the photo itself did not.
  ///
  /// - Parameter properties: What is known of the photo so far.
  /// - Throws: ``PhotoFileError`` where the sidecar cannot be read.
  public func complete(_ properties: inout PhotoProperties) throws(PhotoFileError) {
    let file = try PhotoFile(path, followsLink: false)
    guard file.size <= Self.maximumLength else { return }
    var content = [UInt8](repeating: 0, count: Int(file.size))
    var filled = 0
    do {
      while filled < content.count {
        let count = try unsafe content.withUnsafeMutableBytes { buffer in
          try unsafe file.descriptor.read(
            fromAbsoluteOffset: Int64(filled),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
        guard count > 0 else { break }
        filled += count
      }
    } catch {
      throw .system(error as? Errno ?? .ioError)
    }
    properties.complete(kind, Array(content.prefix(filled)))
  }
}

extension PhotoProperties {
  /// Fills in what a sidecar's content says.
  package mutating func complete(_ kind: Sidecar.Kind, _ content: [UInt8]) {
    switch kind {
    case .xmp: complete(with: XMPPacket(content[...]), from: .xmpSidecar)
    case .takeout:
      // What is no sidecar, an album's own metadata say, says nothing.
      if let record = TakeoutRecord(content) { complete(with: record) }
    }
  }
}
