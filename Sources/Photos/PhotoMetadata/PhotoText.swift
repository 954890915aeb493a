import Encodings

/// The titles and captions in the metadata of photos.
package enum PhotoText {
  /// The maximum length in Unicode scalars.
  static let maximumLength = 1000

  /// Returns a text as one line, cut to ``maximumLength``; `nil` if it is empty, or was written by
  /// a camera or a program rather than a person.
  package static func ofPerson(_ text: String?) -> String? {
    guard let text else { return nil }
    var line = StoredText.line(text)
    if line.unicodeScalars.count > maximumLength {
      line =
        String(String.UnicodeScalarView(line.unicodeScalars.prefix(maximumLength - 1))) + "…"
    }
    let isOfDevice =
      ofDevices.contains(line.lowercased())
      || beginningsOfDevices.contains { line.starts(with: $0) }
    return line.isEmpty || isOfDevice ? nil : line
  }

  /// Returns the text of bytes in UTF-8, or, as of older programs, in Windows-1252.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - mayBeCut: Whether the last character may be incomplete.
  /// - Returns: The text.
  static func text(of bytes: some BidirectionalCollection<UInt8>, mayBeCut: Bool) -> String {
    for cut in 0..<(mayBeCut ? 4 : 1) {
      if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
    }
    return String(
      String.UnicodeScalarView(
        bytes.map { (0x80..<0xA0).contains($0) ? windows[Int($0) - 0x80] : Unicode.Scalar($0) }))
  }

  /// The characters 80 to 9F of Windows-1252 (WHATWG Encoding Standard, index-windows-1252).
  private static let windows = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// Captions that cameras, phones and programs write into every photo, in lower case.
  private static let ofDevices: Set<String> = [
    "acd systems digital imaging", "applemark", "asus", "binary comment", "btf", "btfhdr", "btfmdn",
    "btr", "burst", "charset=ascii", "cof", "created by imlib", "created with gimp", "dav", "dcim",
    "default", "digital camera", "digital image", "digital still camera", "digital stillcamera",
    "dji", "edf", "exif jpeg", "exif_jpeg_picture", "exif_jpeg_t422", "fbt", "fbthdr", "frem",
    "frontbhdp", "fshbty", "hdr", "hdrnor", "hdrpl", "image", "jpeg", "kodak digital still camera",
    "konica minolta digital camera", "mde", "mde_soft", "minolta digital camera", "mon", "nor",
    "olympus digital camera", "oznor", "oznorwo", "panasonic dmc", "pentax digital camera", "photo",
    "picture", "ptr", "qrf", "rbt", "rhdr", "rpt", "samsung", "samsung camera pictures",
    "samsung digital camera", "screenshot", "sdr", "sdr_hdrb", "sony dsc", "undefined", "untitled",
    "user comments",
  ]
  /// Beginnings of such captions; XML is a microscope's or a scanner's description of its picture.
  private static let beginningsOfDevices = [
    "<?xml ", "<Digimax ", "DCIM\\", "DVC 10", "LEAD Technologies",
  ]
}
