internal import CHEIF
import CLibrary
import SystemPackage

/// A decoder of HEIF pictures based on libheif, which is loaded when the first one is decoded. It
/// supports HEIC (libde265) and AVIF (dav1d or libaom) if the system's libheif was built with these
/// libraries.
enum HEIFCodec {
  /// The maximum size of a file in bytes; cameras do not write larger ones.
  private static let longestFile = 64 << 20
  /// The maximum number of pixels; decoding takes about five bytes per pixel.
  private static let maximumPixels: Int64 = 50 << 20
  /// The maximum size of an ICC profile in bytes.
  private static let longestProfile = 16 << 10

  /// Loads libheif and its decoders.
  ///
  /// - Returns: Whether that succeeded.
  @discardableResult static func load() -> Bool { unsafe heifLoad() == nil }

  /// Decodes the primary image of an open file, upright and reduced so that no side exceeds a
  /// limit.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - size: The size of the file in bytes.
  ///   - longestSide: The limit in pixels.
  ///   - isSquare: Whether to return only the square in the middle.
  /// - Returns: The picture in sRGB; `nil` if libheif cannot decode it.
  /// - Throws: ``PictureError/noDecoder`` if libheif cannot be loaded.
  static func pixels(
    of file: FileDescriptor, size: Int, longestSide: Int, isSquare: Bool
  ) throws(PictureError) -> Pixels? {
    guard load() else { throw .noDecoder }
    guard let content = content(of: file, size: size) else { return nil }
    return unsafe content.withUnsafeBufferPointer { content in
      guard let picture = unsafe heifOpen(content.baseAddress, content.count, maximumPixels)
      else { return nil }
      defer { unsafe heifClose(picture) }
      let profile = unsafe profile(of: picture)
      return unsafe decoded(picture, longestSide: longestSide, isSquare: isSquare)?
        .inSRGB(from: profile)
    }
  }

  /// Returns the ICC profile of the picture; empty if there is none or it is too large.
  private static func profile(of picture: OpaquePointer) -> [UInt8] {
    let count = unsafe heifProfileLength(picture)
    guard (1...longestProfile).contains(count) else { return [] }
    var profile = [UInt8](repeating: 0, count: count)
    return unsafe heifProfile(picture, &profile) ? profile : []
  }

  private static func decoded(
    _ picture: OpaquePointer, longestSide: Int, isSquare: Bool
  ) -> Pixels? {
    var size = HEIFSize()
    guard let rows = unsafe heifDecode(picture, &size) else { return nil }
    let (width, height, stride) = (Int(size.width), Int(size.height), Int(size.stride))
    return unsafe shrunk(
      UnsafeBufferPointer(start: rows, count: stride * height), width: width, height: height,
      stride: stride, to: longestSide, isSquare)
  }

  /// Reduces a picture; each pixel of the result is the mean of the pixels that it covers.
  private static func shrunk(
    _ rows: UnsafeBufferPointer<UInt8>, width: Int, height: Int, stride: Int,
    to longestSide: Int, _ isSquare: Bool
  ) -> Pixels {
    let side = isSquare ? min(width, height) : max(width, height)
    let (takenWidth, takenHeight) = isSquare ? (side, side) : (width, height)
    let (left, top) = ((width - takenWidth) / 2, (height - takenHeight) / 2)
    let limit = min(side, longestSide)
    let newWidth = max(1, (takenWidth * limit + side / 2) / side)
    let newHeight = max(1, (takenHeight * limit + side / 2) / side)
    let columns = (0...newWidth).map { left + $0 * takenWidth / newWidth }
    var rgb: [UInt8] = []
    rgb.reserveCapacity(newWidth * newHeight * 3)
    for y in 0..<newHeight {
      let lines = top + y * takenHeight / newHeight..<top + (y + 1) * takenHeight / newHeight
      for x in 0..<newWidth {
        var (red, green, blue) = (0, 0, 0)
        for line in lines {
          for pixel in columns[x]..<columns[x + 1] {
            let place = line * stride + pixel * 3
            unsafe red += Int(rows[place])
            unsafe green += Int(rows[place + 1])
            unsafe blue += Int(rows[place + 2])
          }
        }
        let count = lines.count * (columns[x + 1] - columns[x])
        for sum in [red, green, blue] { rgb.append(UInt8((sum + count / 2) / count)) }
      }
    }
    return Pixels(width: newWidth, height: newHeight, rgb: rgb)
  }

  private static func content(of file: FileDescriptor, size: Int) -> [UInt8]? {
    guard (1...longestFile).contains(size) else { return nil }
    return try? PictureMaking.contents(of: file, count: size)
  }
}
