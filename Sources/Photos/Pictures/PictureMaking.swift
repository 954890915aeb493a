import PhotoMetadata
package import Storage
package import SystemPackage

/// Creates pictures of files; the calling thread waits for them.
package enum PictureMaking {
  /// A picture and how it was obtained.
  package struct Result: Hashable, Sendable {
    /// The picture.
    package let picture: Picture
    /// Whether the picture was created, so that caching it saves work; `false` if it is the
    /// unmodified file.
    package let isMade: Bool
    /// Whether the photo is damaged or nearly of one color, and therefore not used as a cover.
    let isPoor: Bool
  }

  /// The maximum size in bytes of a file that is returned unmodified.
  static let maximumUnmodifiedSize = 8 << 20

  /// Returns a picture of the first file for which that is possible.
  static func picture(
    _ order: PictureOrder, by maker: PictureMaker = .here
  ) throws(PictureError) -> Result {
    try first(of: order.files) { file, count throws(PictureError) in
      try picture(of: file, count: count, order, by: maker)
    }
  }

  /// Decodes the first file that can be decoded as a small upright picture.
  ///
  /// JPEG files and JPEG files embedded in RAW files can be decoded, and HEIC and AVIF where
  /// libheif is installed. Formats that browsers receive unmodified, such as PNG, cannot.
  /// `longestSide` is the maximum length of the longer side in pixels, at most 65,535.
  package static func pixels(
    of files: [LibraryFile], longestSide: Int, by maker: PictureMaker = .here
  ) throws(PictureError) -> Pixels {
    try first(of: files) { file, count throws(PictureError) in
      try maker.pixels(of: file, count: count, longestSide: longestSide)
    }
  }

  /// Creates a small picture of a photo as a JPEG file, upright and without metadata.
  package static func jpeg(
    of photo: LibraryFile, longestSide: Int, by maker: PictureMaker
  ) throws(PictureError) -> [UInt8] {
    let wish = PictureWish(
      size: longestSide, isSquare: false, accepted: AcceptedTypes(heic: false, avif: false))
    let made = try first(of: [photo]) { file, count throws(PictureError) in
      try maker.made(of: file, count: count, wish)
    }
    guard case .jpeg(let jpeg, _) = made else { throw .noPicture }
    return jpeg
  }

  /// Returns the result of the first file for which `make` succeeds; otherwise throws one of the
  /// errors, preferably one that the user can fix.
  private static func first<Made>(
    of files: [LibraryFile], _ make: (FileDescriptor, Int) throws(PictureError) -> Made
  ) throws(PictureError) -> Made {
    var error = PictureError.gone
    for path in files {
      do throws(PictureError) {
        let file = try open(path)
        return try make(file.descriptor, Int(clamping: file.size))
      } catch let cause {
        // Errors that the user can fix take precedence.
        switch (error, cause) {
        case (.unreadable, _), (.noDecoder, .noPicture), (.noPicture, .gone), (.noDecoder, .gone):
          break
        default: error = cause
        }
      }
    }
    throw error
  }

  /// Opens a photo.
  static func open(_ file: LibraryFile) throws(PictureError) -> PhotoFile {
    do throws(PhotoFileError) {
      return try PhotoFile(file)
    } catch {
      switch error {
      // Replaced by a link, or changed since it was indexed.
      case .system(.tooManySymbolicLinkLevels), .system(.staleNFSFileHandle): throw .gone
      case .system(.noSuchFileOrDirectory), .system(.notDirectory): throw .gone
      case .system(let errno): throw .unreadable(errno)
      case .notRegular: throw .noPicture
      }
    }
  }

  /// Identifies the content of a file.
  static func content(
    of file: FileDescriptor, count: Int
  ) throws(PictureError) -> PictureContent {
    var finder = PictureFinder()
    do throws(Errno) {
      return try finder.content(of: file, count: count)
    } catch { throw .unreadable(error) }
  }

  /// Returns a picture of an open file, whose position is changed.
  package static func picture(
    of file: FileDescriptor, count: Int, _ order: PictureOrder, by maker: PictureMaker = .here
  ) throws(PictureError) -> Result {
    let wish = PictureWish(
      size: order.size, isSquare: order.isSquare, accepted: AcceptedTypes(order.accept))
    switch try maker.made(of: file, count: count, wish) {
    case .jpeg(let jpeg, let isPoor):
      return Result(picture: Picture(jpeg: jpeg), isMade: true, isPoor: isPoor)
    case .unmodified(let content):
      return Result(
        picture: Picture(mediaType: content.mediaType, bytes: try whole(file, count: count)),
        isMade: false, isPoor: false)
    }
  }

  /// Creates a picture of an open file in this process.
  static func made(
    of file: FileDescriptor, count: Int, _ wish: PictureWish
  ) throws(PictureError) -> MadePicture {
    let content = try content(of: file, count: count)
    switch content {
    case .jpeg:
      return try small(of: [nil], in: file, count: count, wish)
    case .embedded(let found):
      return try small(of: found.map(\.range), in: file, count: count, wish)
    case .heic where !wish.accepted.heic, .avif where !wish.accepted.avif:
      do throws(PictureError) {
        let pixels = try HEIFCodec.pixels(
          of: file, size: count, longestSide: wish.size, isSquare: wish.isSquare)
        if let pixels, let made = MadePicture(pixels) { return made }
      } catch {
        guard content == .avif else { throw error }
      }
      guard content == .avif else { throw .noPicture }
    case .png, .gif, .webP, .avif, .heic: break
    case .movie, .other: throw .noPicture
    }
    return .unmodified(content)
  }

  /// Creates a thumbnail of the first embedded JPEG file that can be decoded.
  private static func small(
    of parts: [Range<Int>?], in file: FileDescriptor, count: Int, _ wish: PictureWish
  ) throws(PictureError) -> MadePicture {
    let orientation = orientation(of: file, count: count)
    for part in parts {
      let pixels = Thumbnail.pixels(
        of: file, in: part, longestSide: wish.size, isSquare: wish.isSquare,
        orientation: orientation)
      if let pixels, let made = MadePicture(pixels) { return made }
    }
    throw .noPicture
  }

  /// Decodes an open file in this process.
  static func pixels(
    of file: FileDescriptor, count: Int, longestSide: Int
  ) throws(PictureError) -> Pixels {
    let parts: [Range<Int>?]
    switch try content(of: file, count: count) {
    case .jpeg: parts = [nil]
    case .embedded(let found): parts = found.map(\.range)
    case .heic, .avif:
      let pixels = try HEIFCodec.pixels(
        of: file, size: count, longestSide: longestSide, isSquare: false)
      guard let pixels else { throw .noPicture }
      return pixels
    case .png, .gif, .webP, .movie, .other: throw .noPicture
    }
    let orientation = orientation(of: file, count: count)
    for part in parts {
      let pixels = Thumbnail.pixels(
        of: file, in: part, longestSide: longestSide, orientation: orientation)
      if let pixels { return pixels }
    }
    throw .noPicture
  }

  private static func orientation(of file: FileDescriptor, count: Int) -> Int {
    var reader = MetadataReader()
    let reading = try? reader.read(file, count: count)
    guard case .photo(let properties) = reading else { return 1 }
    return properties.orientation ?? 1
  }

  /// Returns the unmodified file.
  private static func whole(_ file: FileDescriptor, count: Int) throws(PictureError) -> [UInt8] {
    guard (1...maximumUnmodifiedSize).contains(count) else { throw .noPicture }
    do {
      return try contents(of: file, count: count)
    } catch { throw .unreadable(error as? Errno ?? .ioError) }
  }

  /// Reads the first bytes of a file; fewer if it has become shorter.
  static func contents(of file: FileDescriptor, count: Int) throws -> [UInt8] {
    try unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      while filled < count {
        let read = try unsafe file.read(
          fromAbsoluteOffset: Int64(filled),
          into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
        guard read > 0 else { break }
        filled += read
      }
    }
  }
}

extension Picture {
  /// Creates a picture from a JPEG file.
  init(jpeg: [UInt8]) { self.init(mediaType: "image/jpeg", bytes: jpeg) }
}

extension PictureContent {
  /// The media type for browsers.
  var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .gif: "image/gif"
    case .webP: "image/webp"
    case .avif: "image/avif"
    case .heic: "image/heic"
    case .movie(let isQuickTime): isQuickTime ? "video/quicktime" : "video/mp4"
    case .embedded, .other: "application/octet-stream"
    }
  }
}
