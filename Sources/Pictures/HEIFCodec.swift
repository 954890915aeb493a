#if HEIF
  internal import CLibHeif
  import CLibrary
  import SystemPackage
  import Thumbnails

  /// A decoder of HEIF pictures based on libheif. It supports HEIC (libde265) and AVIF (dav1d or
  /// libaom) if the system's libheif was built with these libraries.
  enum HEIFCodec {
    /// The maximum size of a file in bytes; cameras do not write larger ones.
    private static let longestFile = 64 << 20
    /// The maximum number of pixels; decoding takes about five bytes per pixel.
    private static let maximumPixels = 50 << 20
    /// The maximum size of an ICC profile in bytes.
    private static let longestProfile = 16 << 10

    /// Decodes the primary image of an open file, upright and reduced so that no side exceeds a
    /// limit.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: The size of the file in bytes.
    ///   - longestSide: The limit in pixels.
    ///   - isSquare: Whether to return only the square in the middle.
    /// - Returns: The picture in sRGB; `nil` if libheif cannot decode it.
    static func pixels(
      of file: FileDescriptor, size: Int, longestSide: Int, isSquare: Bool
    ) -> Pixels? {
      guard let content = content(of: file, size: size), let context = unsafe heif_context_alloc()
      else { return nil }
      defer { unsafe heif_context_free(context) }
      unsafe heif_context_set_maximum_image_size_limit(context, 16_384)
      unsafe heif_context_set_max_decoding_threads(context, 0)
      return unsafe content.withUnsafeBytes { content in
        let read = unsafe heif_context_read_from_memory_without_copy(
          context, content.baseAddress, content.count, nil)
        var handle: OpaquePointer?
        guard unsafe read.code == heif_error_Ok,
          unsafe heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok
        else { return nil }
        defer { unsafe heif_image_handle_release(handle) }
        let pixels =
          unsafe Int(heif_image_handle_get_width(handle))
          * Int(heif_image_handle_get_height(handle))
        guard (1...maximumPixels).contains(pixels) else { return nil }
        let profile = unsafe profile(of: handle)
        return unsafe decoded(handle, longestSide: longestSide, isSquare: isSquare)?
          .inSRGB(from: profile)
      }
    }

    /// Returns the ICC profile of the picture; empty if there is none or it is too large.
    private static func profile(of handle: OpaquePointer?) -> [UInt8] {
      let count = unsafe heif_image_handle_get_raw_color_profile_size(handle)
      guard (1...longestProfile).contains(count) else { return [] }
      var profile = [UInt8](repeating: 0, count: count)
      let read = unsafe heif_image_handle_get_raw_color_profile(handle, &profile)
      return unsafe read.code == heif_error_Ok ? profile : []
    }

    private static func decoded(
      _ handle: OpaquePointer?, longestSide: Int, isSquare: Bool
    ) -> Pixels? {
      var image: OpaquePointer?
      let options = unsafe heif_decoding_options_alloc()
      defer { unsafe heif_decoding_options_free(options) }
      unsafe options?.pointee.convert_hdr_to_8bit = 1
      let decoded = unsafe heif_decode_image(
        handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, options)
      guard unsafe decoded.code == heif_error_Ok else { return nil }
      defer { unsafe heif_image_release(image) }
      var stride: CInt = 0
      let plane = unsafe heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
      let width = unsafe Int(heif_image_get_width(image, heif_channel_interleaved))
      let height = unsafe Int(heif_image_get_height(image, heif_channel_interleaved))
      guard let plane = unsafe plane, width > 0, height > 0, Int(stride) >= width * 3 else {
        return nil
      }
      let rows = unsafe UnsafeBufferPointer(start: plane, count: Int(stride) * height)
      return unsafe shrunk(
        rows, width: width, height: height, stride: Int(stride), to: longestSide, isSquare)
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
#endif
