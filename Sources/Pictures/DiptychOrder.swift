import Alignment
package import Diptychs
package import SystemPackage
import Thumbnails

/// A picture of two photos that is wanted: then and now.
package struct DiptychOrder: Hashable, Sendable {
  /// A side of the pair.
  package enum Side: String, Sendable {
    case earlier, later
  }

  /// A photo.
  package struct Photo: Hashable, Sendable {
    /// Its files; the first of which a picture can be made is taken.
    package let files: [FilePath]
    /// A short text in its corner; `nil` for none.
    package let label: String?

    /// Creates a photo.
    package init(files: [FilePath], label: String?) { (self.files, self.label) = (files, label) }
  }

  /// The earlier photo.
  package let earlier: Photo
  /// The later photo.
  package let later: Photo
  /// The line of text; `nil` for none.
  package var caption: DiptychCaption?
  /// The shape; `nil` for the one that suits the photos.
  package var shape: Diptych.Shape?
  /// Whether a slider that moves is wanted, and not a still picture.
  package var isAnimated = false

  /// Creates an order.
  package init(earlier: Photo, later: Photo) { (self.earlier, self.later) = (earlier, later) }
}

/// A reason why there is no picture of two photos.
package struct DiptychError: Error, Hashable {
  /// The photo that it is about.
  package let side: DiptychOrder.Side
  /// The reason.
  package let cause: PictureError
}

/// Makes pictures of two photos, on the thread that asks for them.
package enum DiptychMaking {
  /// As many pixels as the longer side of a photo is decoded to.
  private static let (longestSide, longestOfSlider) = (2048, 1280)
  /// As little as leaves no trace of JPEG in letters.
  private static let quality = 88

  /// Makes a picture: a JPEG file without metadata, or an animated GIF file. Photos of one view are
  /// laid on each other.
  package static func picture(_ order: DiptychOrder) throws(DiptychError) -> Picture {
    let size = order.isAnimated ? longestOfSlider : longestSide
    let earlier = try pixels(of: order.earlier, .earlier, size)
    let later = try pixels(of: order.later, .later, size)
    let diptych = Diptych(
      earlier: .init(earlier, label: order.earlier.label),
      later: .init(later, label: order.later.label), caption: order.caption,
      laying: laying(of: earlier, in: later))
    guard !order.isAnimated else {
      let shape = order.shape ?? diptych.suitingSliderShape
      return Picture(mediaType: "image/gif", bytes: diptych.slider(shape))
    }
    let pixels = diptych.picture(order.shape ?? diptych.suitingShape)
    guard let jpeg = Thumbnail.jpeg(of: pixels, quality: quality) else {
      throw DiptychError(side: .earlier, cause: .noPicture)
    }
    return Picture(mediaType: "image/jpeg", bytes: jpeg)
  }

  /// Aligns two pictures; `nil` where they do not surely show one view.
  private static func laying(of earlier: Pixels, in later: Pixels) -> PictureLaying? {
    let size = ComparedSize(width: earlier.width, height: earlier.height)
    guard let view = GreyPicture(earlier), let picture = GreyPicture(later) else { return nil }
    let placement = Aligner(ComparedPicture(of: view, size: size))
      .placement(in: ComparedPicture(of: picture, size: size))
    guard placement.isLocked else { return nil }
    return PictureLaying(
      turnDegrees: placement.turnDegrees, zoom: placement.zoom, right: placement.dx,
      down: placement.dy)
  }

  private static func pixels(
    of photo: DiptychOrder.Photo, _ side: DiptychOrder.Side, _ longestSide: Int
  ) throws(DiptychError) -> Pixels {
    do throws(PictureError) {
      return try PictureMaking.pixels(of: photo.files, longestSide: longestSide)
    } catch { throw DiptychError(side: side, cause: error) }
  }
}

extension GreyPicture {
  fileprivate init?(_ pixels: Pixels) {
    self.init(width: pixels.width, height: pixels.height, rgb: pixels.rgb)
  }
}
