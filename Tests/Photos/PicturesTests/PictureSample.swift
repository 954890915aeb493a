import SystemPackage
import TestSupport
import Testing

@testable import Pictures

/// Synthetic photos of colored fields, and the colors found in a picture.
struct PictureSample {
  private static let colours: [Character: [UInt8]] = [
    "R": [250, 20, 20], "G": [20, 250, 20], "B": [20, 20, 250], "W": [250, 250, 250],
  ]

  /// Returns a JPEG file of rows of fields; each letter is a color.
  static func jpeg(_ rows: String, width: Int, height: Int) throws -> [UInt8] {
    let rows = rows.split(separator: " ").map(Array.init)
    var rgb: [UInt8] = []
    for y in 0..<height {
      let row = rows[y * rows.count / height]
      for x in 0..<width { rgb += colours[row[x * row.count / width]] ?? [0, 0, 0] }
    }
    return try #require(Thumbnail.jpeg(of: Pixels(width: width, height: height, rgb: rgb)))
  }

  /// A JPEG file with an orientation.
  static func jpeg(
    _ rows: String, width: Int, height: Int, orientation: UInt16
  ) throws -> [UInt8] {
    let block = ExifBlock(image: [.init(0x112, .shorts([orientation]))])
    var file = JPEGFile([.exif(block.tiff)])
    file.hasPicture = false
    return file.bytes + (try jpeg(rows, width: width, height: height)).dropFirst(2)
  }

  /// Returns the colors of the fields of a JPEG file, in rows with the given number of columns.
  static func fields(of jpeg: [UInt8], columns: Int, rows: Int) throws -> String {
    let folder = TemporaryFolder()
    try folder.write(jpeg, to: "a.jpg")
    let file = try FileDescriptor.open(folder.path("a.jpg"), .readOnly)
    let pixels = try file.closeAfter {
      try #require(JPEGCodec.pixels(of: file, longestSide: 4096))
    }
    return (0..<rows).map { row in
      String(
        (0..<columns).map { column in
          let x = pixels.width * (2 * column + 1) / (2 * columns)
          let y = pixels.height * (2 * row + 1) / (2 * rows)
          let place = (y * pixels.width + x) * 3
          let isHigh = (0..<3).map { pixels.rgb[place + $0] > 127 }
          return colours.first { $0.value.map { $0 > 127 } == isHigh }?.key ?? "?"
        })
    }.joined(separator: " ")
  }
}
