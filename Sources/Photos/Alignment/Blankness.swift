/// The recognition of pictures that show too little to be compared: damaged ones, which decoders
/// fill with one colour, and photos without detail.
///
/// Few edges match by chance, and perfectly so where two pictures were cut off at the same height.
/// The steps are those of the page's `align/blank.js`.
enum Blankness {
  /// The gradient, in Sobel's units, below which a pixel is plain: less than the noise of any photo
  /// that is not overexposed, underexposed or filled in.
  private static let plainGradient = 0.25
  /// The maximum share of plain pixels. Of 392 photos of views the plainest, a plaza at night, has
  /// 0.38 (Benchmarks/README.md).
  private static let mostPlain = 0.55
  /// The gradient from which a pixel belongs to an edge: that of paper and sensors.
  private static let edgeGradient = 4.0
  /// The minimum share of pixels with edges. Of these photos, the one with the fewest has 0.27.
  private static let leastEdges = 0.02

  /// Returns whether a picture is blank.
  ///
  /// - Parameters:
  ///   - gradients: The lengths of the gradients; see ``EdgeField/edges(of:inside:)``.
  ///   - picture: The picture.
  ///   - inside: The mask of the pixels to use; `nil` uses all.
  /// - Returns: Whether more than ``mostPlain`` of it is plain, or less than ``leastEdges`` has
  ///   edges.
  static func isBlank(
    _ gradients: [Double], _ picture: ComparedPicture, inside: [Bool]?
  ) -> Bool {
    var (count, plain, edges) = (0, 0, 0)
    for y in 1..<picture.height - 1 {
      for x in 1..<picture.width - 1 {
        let at = y * picture.width + x
        if let inside, !inside[at] { continue }
        count += 1
        if gradients[at] < plainGradient { plain += 1 }
        if gradients[at] >= edgeGradient { edges += 1 }
      }
    }
    return Double(plain) > mostPlain * Double(count) || Double(edges) < leastEdges * Double(count)
  }
}
