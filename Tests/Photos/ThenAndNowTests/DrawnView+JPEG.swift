import Pictures
import TestSupport

extension DrawnView {
  /// A photo of the view.
  func jpeg(date: String, latitude: Double, longitude: Double) -> [UInt8] {
    jpeg(date: date, latitude: latitude, longitude: longitude) { rgb, width, height in
      Thumbnail.jpeg(of: Pixels(width: width, height: height, rgb: rgb)) ?? []
    }
  }
}
