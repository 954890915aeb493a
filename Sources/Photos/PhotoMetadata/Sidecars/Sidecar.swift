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

  /// The maximum length of a JSON sidecar in bytes; they have a few kilobytes.
  private static let maximumLength = 1 << 20

  /// Fills in missing properties of a photo from the sidecar.
  ///
  /// - Parameter properties: The properties of the photo.
  /// - Returns: The reason why the content is malformed or not read; `nil` if it is valid.
  /// - Throws: ``PhotoFileError`` if the sidecar cannot be read.
  func complete(_ properties: inout PhotoProperties) throws(PhotoFileError) -> String? {
    let file = try PhotoFile(path, followsLink: false)
    switch kind {
    case .takeout:
      guard file.size <= Self.maximumLength else { return "the sidecar is longer than 1 MiB" }
      return properties.complete(kind, try Self.read(file, at: 0, count: Int(file.size)))
    case .xmp:
      let (packet, isCut) = try Self.packet(in: file)
      let problem = properties.complete(withSidecar: packet)
      return isCut ? "only the first \(XMPPacket.maximumLength >> 20) MiB are read" : problem
    }
  }

  /// Reads the title in a Takeout sidecar.
  ///
  /// - Parameters:
  ///   - name: The bytes of the sidecar's name, without a zero byte.
  ///   - folder: Its folder.
  /// - Returns: The title; `none` if the file has none, belongs to something other than a photo, or
  ///   is longer than 1 MiB; or that it cannot be read.
  package static func title(
    inTakeoutNamed name: [UInt8], in folder: FileDescriptor
  ) -> SidecarNames.OwnTitle {
    do throws(PhotoFileError) {
      let file = try PhotoFile(terminatedName: name + [0], in: folder)
      guard file.size <= maximumLength else { return .none }
      let content = try read(file, at: 0, count: Int(file.size))
      guard let title = TakeoutRecord(content)?.title, (1...1024).contains(title.utf8.count) else {
        return .none
      }
      return .text(title)
    } catch {
      return error == .notRegular || error == .system(.noSuchFileOrDirectory) ? .none : .unreadable
    }
  }

  /// Reads an XMP packet in pieces, so that a sidecar of any length needs little memory; returns
  /// whether it was too long.
  private static func packet(
    in file: borrowing PhotoFile
  ) throws(PhotoFileError) -> (XMPPacket, isCut: Bool) {
    var packet = XMPPacket()
    var offset = 0
    while !packet.isFinished, offset < XMPPacket.maximumLength {
      let wanted = min(Int(clamping: file.size) - offset, XMPPacket.pieceLength)
      let piece = wanted > 0 ? try read(file, at: offset, count: wanted) : []
      guard !piece.isEmpty else { break }
      packet.add(piece[...])
      offset += piece.count
    }
    let isCut = !packet.isFinished && offset >= XMPPacket.maximumLength
    packet.finish()
    return (packet, isCut)
  }

  /// Reads bytes; fewer if the file has become shorter.
  private static func read(
    _ file: borrowing PhotoFile, at offset: Int, count: Int
  ) throws(PhotoFileError) -> [UInt8] {
    var content = [UInt8](repeating: 0, count: count)
    var filled = 0
    do {
      while filled < content.count {
        let count = try unsafe content.withUnsafeMutableBytes { buffer in
          try unsafe file.descriptor.read(
            fromAbsoluteOffset: Int64(offset + filled),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        }
        guard count > 0 else { break }
        filled += count
      }
    } catch {
      throw .system(error as? Errno ?? .ioError)
    }
    return Array(content.prefix(filled))
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
      return complete(withSidecar: XMPPacket(content[...]))
    case .takeout:
      guard let record = TakeoutRecord(content) else {
        // A list, such as that of an album, is not a sidecar.
        let text = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content[...]
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "[") else { return "the sidecar is not valid JSON" }
        return Self.isOfExifTool(text)
          ? "the sidecar is JSON of ExifTool or osxphotos, which is not read; XMP sidecars are"
          : nil
      }
      return complete(with: record).map { "the sidecar's \($0.rawValue)" }
    }
  }

  /// Returns whether a list has a position with the name that ExifTool gives it, after a group or
  /// not: `"EXIF:GPSLatitude"`.
  private static func isOfExifTool(_ text: ArraySlice<UInt8>) -> Bool {
    let name = Array("GPSLatitude\"".utf8)
    return text.indices.dropLast(name.count - 1).contains { start in
      text[start] == name[0] && text[start..<start + name.count].elementsEqual(name)
    }
  }

  /// Fills in missing properties from an XMP sidecar; returns the reason if it is malformed.
  mutating func complete(withSidecar packet: XMPPacket) -> String? {
    complete(with: packet, from: .xmpSidecar)
    let isForeign = packet.isForeign && packet.photo.isEmpty && packet.createdLocation.isEmpty
    if packet.isUnreadable || isForeign { return "the sidecar is not valid XMP" }
    return packet.error.map { "the sidecar is not valid XMP after some properties: \($0)" }
  }
}
