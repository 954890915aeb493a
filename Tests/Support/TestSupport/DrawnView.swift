/// A synthetic picture of a place: rectangles of random brightness.
public struct DrawnView: Sendable {
  private let seed: UInt64
  private let x: Int
  private let isDarker: Bool
  private let width: Int

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - seed: The identity of the place.
  ///   - x: The camera's shift, by which the place appears too far right, in hundredths of the
  ///     width; at most 25.
  ///   - isDarker: Whether the lighting differs.
  ///   - width: The width of the picture in pixels. The height is three quarters of it.
  public init(seed: UInt64, x: Int = 0, isDarker: Bool = false, width: Int = 480) {
    (self.seed, self.x, self.isDarker, self.width) = (seed, x, isDarker, width)
  }

  /// The height of the picture in pixels.
  public var height: Int { width * 3 / 4 }

  /// The picture as rows of R, G, B bytes.
  public var rgb: [UInt8] {
    var random = SeededGenerator(seed: seed)
    // In thousandths of the width, with a margin around.
    let boxes = (0..<110).map { _ in
      let left = Int.random(in: -300..<1300, using: &random)
      let top = Int.random(in: -150..<900, using: &random)
      let (width, height) = (
        Int.random(in: 40...200, using: &random), Int.random(in: 40...200, using: &random)
      )
      return (left, top, left + width, top + height, UInt8.random(in: 20...240, using: &random))
    }
    var rgb: [UInt8] = []
    for row in 0..<height {
      let placeY = row * 1000 / width
      for column in 0..<width {
        let placeX = column * 1000 / width - 10 * x
        let box = boxes.last {
          $0.0 <= placeX && placeX < $0.2 && $0.1 <= placeY && placeY < $0.3
        }
        let level = box?.4 ?? 128
        let tone = isDarker ? 30 + level / 2 : level
        rgb += [tone, tone, tone]
      }
    }
    return rgb
  }

  /// Returns the EXIF block of a photo taken with a camera clock set to UTC.
  public static func exif(date: String, latitude: Double, longitude: Double) -> ExifBlock {
    ExifBlock(
      image: [.init(0x110, .ascii("Camera"))],
      exif: [.init(0x9003, .ascii(date)), .init(0x9011, .ascii("+00:00"))],
      gps: ExifBlock.position(latitude: latitude, longitude: longitude))
  }

  /// Returns a photo of the view as a JPEG file, compressed by the given function.
  public func jpeg(
    date: String, latitude: Double, longitude: Double,
    compressing compress: (_ rgb: [UInt8], _ width: Int, _ height: Int) -> [UInt8]
  ) -> [UInt8] {
    let block = Self.exif(date: date, latitude: latitude, longitude: longitude)
    let picture = compress(rgb, width, height)
    // After the start-of-image marker.
    let head = JPEGFile(block).bytes.dropLast(14)
    return Array(head) + picture.dropFirst(2)
  }
}
