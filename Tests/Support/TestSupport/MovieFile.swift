/// A builder of QuickTime and MP4 movies without tracks.
public struct MovieFile: Sendable {
  /// The boxes in the movie box.
  public var boxes: [Box]
  /// The major brand; `nil` for a movie without `ftyp`.
  public var brand: String? = "qt  "
  /// The length of the media data before the movie box.
  public var mediaLength = 100

  /// Creates a movie.
  public init(_ boxes: [Box]) { self.boxes = boxes }

  /// The content of the file.
  public var bytes: [UInt8] {
    let media = Box("mdat", [UInt8](repeating: 0xFE, count: mediaLength))
    let type = brand.map { [Box.fileType($0)] } ?? []
    return (type + [media, Box("moov", boxes)]).file
  }
}

extension Box {
  /// Returns a movie header with a creation time in seconds since 1904.
  public static func movieHeader(created: UInt64, isLong: Bool = false) -> Box {
    let times = isLong ? number(created) + number(created) : number(UInt32(created)) + [0, 0, 0, 0]
    return full("mvhd", version: isLong ? 1 : 0, times + [UInt8](repeating: 0, count: 88))
  }

  /// Returns a text of the user data, for example `©xyz`.
  public static func userText(_ type: String, _ text: String) -> Box {
    Box(type, number(UInt16(text.utf8.count)) + [0x15, 0xC7] + Array(text.utf8))
  }

  /// Returns a 3GPP location in degrees and metres.
  public static func place(
    latitude: Double, longitude: Double, altitude: Double, name: [UInt8] = Array("A place\0".utf8)
  ) -> Box {
    let numbers = [longitude, latitude, altitude].flatMap { number(Int32($0 * 65_536)) }
    return full("loci", [0x15, 0xC7] + name + [0] + numbers + Array("Earth\0\0".utf8))
  }

  /// Returns metadata with keys. In MP4 files the box begins with a version.
  public static func metadata(isMP4: Bool = false, _ values: [(key: String, text: String)]) -> Box {
    let handler = full(
      "hdlr", [0, 0, 0, 0] + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13))
    let keys = values.map { Box("mdta", Array($0.key.utf8)) }
    let items = values.enumerated().map { index, value in
      let data = Box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(value.text.utf8))
      return Box(itemNumber: UInt32(index + 1), data)
    }
    let boxes = [
      handler, full("keys", number(UInt32(keys.count)) + keys.file), Box("ilst", items),
    ]
    return isMP4 ? full("meta", boxes.file) : Box("meta", boxes)
  }

  private init(itemNumber: UInt32, _ box: Box) {
    let type = String(String.UnicodeScalarView(Self.number(itemNumber).map { Unicode.Scalar($0) }))
    self.init(type, [box])
  }
}
