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

  /// A sidecar that does not say what it could.
  public struct Problem: Hashable, Sendable {
    /// The sidecar.
    public let path: FilePath
    /// Whether the system does not give it out; otherwise its content makes no sense.
    public let isUnreadable: Bool
    /// What is wrong.
    public let reason: String
  }

  /// Sidecars are a few kilobytes; a file beyond this is something else.
  private static let maximumLength = 1 << 20

  /// Fills in what the sidecar says and the photo itself did not.
  ///
  /// - Parameter properties: What is known of the photo so far.
  /// - Returns: Why its content makes no sense; `nil` where it does.
  /// - Throws: ``PhotoFileError`` where the sidecar cannot be read.
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
  /// Fills in what the sidecars of a photo say and the photo itself did not, the first one first.
  ///
  /// - Parameter sidecars: The sidecars; one that has vanished says nothing.
  /// - Returns: The sidecars that cannot be read, or make no sense; the others are taken all the
  ///   same.
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

  /// Fills in what a sidecar's content says; returns why it makes no sense where it does not.
  @discardableResult
  package mutating func complete(_ kind: Sidecar.Kind, _ content: [UInt8]) -> String? {
    switch kind {
    case .xmp:
      let packet = XMPPacket(content[...])
      complete(with: packet, from: .xmpSidecar)
      return packet.isUnreadable ? "the sidecar is no XMP, or damaged" : nil
    case .takeout:
      guard let record = TakeoutRecord(content) else {
        // What is no object, an album's own list say, is no sidecar.
        let first = content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") ? "the sidecar is no JSON, or damaged" : nil
      }
      complete(with: record)
      return nil
    }
  }
}
