extension PhotoProperties {
  /// The position that the photo has and that cannot be used, as a block that was not read; `nil`
  /// if it has one that can be used, or none.
  ///
  /// Receivers without a position write 0, 0, or fractions of 0/0 in EXIF: that is none.
  package var unusablePosition: UnreadBlock? {
    guard coordinate == nil else { return nil }
    let isExif = [.incomplete, .unreadableReference, .outOfRange].contains(exifPosition)
    let others = [(xmpPosition, "XMP"), (quickTimePosition, "QuickTime")]
    let found =
      isExif
      ? (exifPosition, "EXIF")
      : others.first { ![.absent, .valid, .nullIsland].contains($0.0) }
    return found.map { UnreadBlock(block: "position in \($0.1)", reason: $0.0.rawValue) }
  }
}
