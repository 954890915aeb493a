import Alignment
package import Storage
package import SystemPackage

/// A request for a diptych of two photos.
package struct DiptychOrder: Hashable, Sendable {
  /// One of the two photos.
  package enum Side: String, Sendable {
    case earlier, later
  }

  /// A photo of the diptych.
  package struct Photo: Hashable, Sendable {
    /// The files of the photo, in order of preference; the first that can be decoded is used.
    package let files: [LibraryFile]
    /// A short text in the corner of the photo; `nil` for none.
    package let label: String?

    /// Creates a photo.
    package init(files: [LibraryFile], label: String?) {
      (self.files, self.label) = (files, label)
    }

    /// Creates a photo of files that are not links.
    package init(files: [FilePath], label: String?) {
      self.init(files: files.map { LibraryFile($0) }, label: label)
    }
  }

  /// The earlier photo.
  package let earlier: Photo
  /// The later photo.
  package let later: Photo
  /// The caption; `nil` for none.
  package var caption: DiptychCaption?
  /// The shape; `nil` for the shape that shows most of both photos.
  package var shape: Diptych.Shape?
  /// Whether to create an animated slider instead of a still picture.
  package var isAnimated = false

  /// Creates a request.
  package init(earlier: Photo, later: Photo) { (self.earlier, self.later) = (earlier, later) }
}

/// An error that prevents a diptych.
package struct DiptychError: Error, Hashable {
  /// The photo that caused the error.
  package let side: DiptychOrder.Side
  /// The reason.
  package let cause: PictureError
}

/// Creates diptychs; the calling thread waits for them.
package enum DiptychMaking {
  /// The lengths of a photo's longer side, in pixels, at which it is decoded for a still picture
  /// and for a slider.
  private static let (longestSide, longestOfSlider) = (2048, 1280)
  /// The JPEG quality: the lowest that leaves no artefacts around letters.
  private static let quality = 88

  /// Creates a diptych: a JPEG file without metadata, or an animated GIF file. Photos of the same
  /// view are aligned.
  package static func picture(
    _ order: DiptychOrder, by maker: PictureMaker = .here
  ) throws(DiptychError) -> Picture {
    let size = order.isAnimated ? longestOfSlider : longestSide
    let earlier = try pixels(of: order.earlier, .earlier, size, maker)
    let later = try pixels(of: order.later, .later, size, maker)
    let diptych = Diptych(
      earlier: .init(earlier, label: order.earlier.label),
      later: .init(later, label: order.later.label), caption: order.caption,
      alignment: alignment(of: earlier, in: later))
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

  /// Aligns two pictures; `nil` if it is not certain that they show the same view.
  private static func alignment(of earlier: Pixels, in later: Pixels) -> PictureAlignment? {
    let size = ComparedSize(width: earlier.width, height: earlier.height)
    guard let view = GreyPicture(earlier), let picture = GreyPicture(later) else { return nil }
    let placement = Aligner(ComparedPicture(of: view, size: size))
      .placement(in: ComparedPicture(of: picture, size: size))
    guard placement.isLocked else { return nil }
    return PictureAlignment(
      turnDegrees: placement.turnDegrees, zoom: placement.zoom, right: placement.dx,
      down: placement.dy)
  }

  private static func pixels(
    of photo: DiptychOrder.Photo, _ side: DiptychOrder.Side, _ longestSide: Int,
    _ maker: PictureMaker
  ) throws(DiptychError) -> Pixels {
    do throws(PictureError) {
      return try PictureMaking.pixels(of: photo.files, longestSide: longestSide, by: maker)
    } catch { throw DiptychError(side: side, cause: error) }
  }
}

extension GreyPicture {
  fileprivate init?(_ pixels: Pixels) {
    self.init(width: pixels.width, height: pixels.height, rgb: pixels.rgb)
  }
}
