public import SystemPackage

/// A metadata file beside a photo.
public struct Sidecar: Hashable, Sendable {
  /// The format of a sidecar.
  public enum Kind: Hashable, Sendable {
    /// An XMP packet, written by a photo manager.
    case xmp
    /// The JSON file that Google Takeout puts beside a photo.
    case takeout
  }

  /// The format.
  public let kind: Kind
  /// The file.
  public let path: FilePath

  /// Creates a sidecar.
  public init(kind: Kind, path: FilePath) {
    self.kind = kind
    self.path = path
  }

  /// A sidecar that could not be used.
  public struct Problem: Hashable, Sendable {
    /// The sidecar.
    public let path: FilePath
    /// Whether the system could not read the sidecar; if not, its content is malformed.
    public let isUnreadable: Bool
    /// The reason.
    public let reason: String
  }

  /// The maximum length of a sidecar in bytes; sidecars have a few kilobytes.
  private static let maximumLength = 1 << 20

  /// Fills in missing properties of a photo from the sidecar.
  ///
  /// - Parameter properties: The properties of the photo.
  /// - Returns: The reason why the content is malformed; `nil` if it is valid.
  /// - Throws: ``PhotoFileError`` if the sidecar cannot be read.
  func complete(_ properties: inout PhotoProperties) throws(PhotoFileError) -> String? {
    let file = try PhotoFile(path, followsLink: false)
    guard file.size <= Self.maximumLength else { return nil }
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
    return properties.complete(kind, Array(content.prefix(filled)))
  }
}

extension PhotoProperties {
  /// Fills in missing properties from the sidecars of a photo; earlier sidecars take precedence.
  ///
  /// - Parameter sidecars: The sidecars; one that no longer exists is ignored.
  /// - Returns: The sidecars that are unreadable or malformed; the others are used regardless.
  public mutating func complete(with sidecars: [Sidecar]) -> [Sidecar.Problem] {
    sidecars.compactMap { sidecar in
      do throws(PhotoFileError) {
        return try sidecar.complete(&self).map {
          Sidecar.Problem(path: sidecar.path, isUnreadable: false, reason: $0)
        }
      } catch .system(.noSuchFileOrDirectory) {
        return nil
      } catch {
        return Sidecar.Problem(
          path: sidecar.path, isUnreadable: true, reason: error.description)
      }
    }
  }

  /// Fills in missing properties from a sidecar's content; returns the reason if it is malformed.
  @discardableResult
  package mutating func complete(_ kind: Sidecar.Kind, _ content: [UInt8]) -> String? {
    switch kind {
    case .xmp:
      let packet = XMPPacket(content[...])
      complete(with: packet, from: .xmpSidecar)
      return packet.isUnreadable ? "the sidecar is not valid XMP" : nil
    case .takeout:
      guard let record = TakeoutRecord(content) else {
        // JSON that is not an object, such as the list of an album, is not a sidecar.
        let first = content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") ? "the sidecar is not valid JSON" : nil
      }
      complete(with: record)
      return nil
    }
  }
}
