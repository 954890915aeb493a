/// The markers of a JPEG file up to its first scan (ITU-T T.81, B.1.1).
public struct JPEGMarkers: Sendable {
  /// Each marker's second byte, in the order of the file.
  public private(set) var codes: [UInt8] = []
  /// The picture's width and height in pixels; `nil` without a frame header.
  public private(set) var size: (width: Int, height: Int)?

  /// Reads the markers; `nil` if they do not lead to a scan.
  public init?(_ file: [UInt8]) {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    var place = 2
    while place + 4 <= file.count, file[place] == 0xFF {
      let code = file[place + 1]
      let length = Int(file[place + 2]) << 8 | Int(file[place + 3])
      codes.append(code)
      if code == 0xDA { return }
      // Start of frame: precision, height, width.
      if (0xC0...0xC2).contains(code), place + 9 <= file.count {
        let number = { (at: Int) in Int(file[at]) << 8 | Int(file[at + 1]) }
        size = (width: number(place + 7), height: number(place + 5))
      }
      place += 2 + length
    }
    return nil
  }
}
