import Alignment
import PhotoMetadata
import SystemPackage

/// A process that decodes photos.
package enum PictureMaker: Sendable {
  /// This process: for programs that hold no secrets.
  case here
  #if os(Linux)
    /// Confined processes.
    case workers(PictureWorkers)
  #endif

  /// Starts a worker, so that the first picture does not wait for it. Blocks its thread.
  package func prepare() {
    #if os(Linux)
      if case .workers(let workers) = self { workers.prepare() }
    #endif
  }

  /// Returns a picture of an open file, whose position is changed.
  func made(
    of file: FileDescriptor, count: Int, _ wish: PictureWish
  ) throws(PictureError) -> MadePicture {
    switch self {
    case .here: return try PictureMaking.made(of: file, count: count, wish)
    #if os(Linux)
      case .workers(let workers): return try workers.made(of: file, count: count, wish)
    #endif
    }
  }

  /// Decodes an open file, whose position is changed; see
  /// ``PictureMaking/pixels(of:longestSide:by:)``.
  func pixels(
    of file: FileDescriptor, count: Int, longestSide: Int
  ) throws(PictureError) -> Pixels {
    switch self {
    case .here:
      return try PictureMaking.pixels(of: file, count: count, longestSide: longestSide)
    #if os(Linux)
      case .workers(let workers):
        return try workers.pixels(of: file, count: count, longestSide: longestSide)
    #endif
    }
  }
}

/// The properties of a requested picture.
struct PictureWish: Hashable {
  /// The maximum length of the longer side, or the side of the square, in pixels.
  let size: Int
  /// Whether to crop to the square in the middle of the photo.
  let isSquare: Bool
  /// The types that the client accepts.
  let accepted: AcceptedTypes
}

/// A picture, or the fact that the file itself can be shown.
enum MadePicture: Hashable {
  /// A JPEG file, and whether the photo is damaged or nearly of one color.
  case jpeg([UInt8], isPoor: Bool)
  /// The file, which has a format that browsers show.
  case unmodified(PictureContent)
}

extension MadePicture {
  /// Creates a picture of a decoded photo; `nil` if it cannot be encoded.
  init?(_ pixels: Pixels) {
    guard let jpeg = Thumbnail.jpeg(of: pixels) else { return nil }
    self = .jpeg(jpeg, isPoor: pixels.isCutOff || pixels.isBlank)
  }
}

extension Pixels {
  /// Whether the picture shows hardly anything; see ``Alignment/ComparedPicture/isBlank``.
  var isBlank: Bool {
    guard mayBeBlank, let grey = GreyPicture(width: width, height: height, rgb: rgb) else {
      return false
    }
    let size = ComparedSize(width: width, height: height)
    return ComparedPicture(of: grey, size: size).isBlank
  }

  /// Whether at least half of the pixels hardly differ from their neighbours: a quick test, which
  /// all blank pictures pass.
  private var mayBeBlank: Bool {
    // Green contributes most to brightness.
    var count = 0
    for place in stride(from: 4, to: rgb.count, by: 3)
    where abs(Int(rgb[place]) - Int(rgb[place - 3])) <= 2 {
      count += 1
    }
    return 2 * count >= width * height
  }
}
