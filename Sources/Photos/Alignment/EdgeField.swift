/// The edge directions of a picture.
///
/// Views are compared by edge directions rather than brightness, so that differences in light,
/// season or film have little effect.
struct EdgeField {
  /// The gradient of paper and sensor noise, in grey levels with Sobel's kernels.
  private static let leastGradient = 4.0

  let width: Int
  let height: Int
  /// The horizontal gradient. Gradients are normalised to a length between 0 and 1, such that
  /// gradients weaker than the picture's median count little.
  private(set) var u: [Double]
  /// The vertical gradient.
  private(set) var v: [Double]
  /// The horizontal part of the gradient with its angle doubled, which is the same for edges of
  /// either polarity.
  private(set) var du: [Double]
  /// The vertical part of the gradient with its angle doubled.
  private(set) var dv: [Double]

  private init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    u = [Double](repeating: 0, count: width * height)
    (v, du, dv) = (u, u, u)
  }

  /// Returns the edges of a picture, and the lengths of all gradients in Sobel's units.
  ///
  /// `inside` is a mask of the pixels to use, such as those inside a print's border; `nil` uses
  /// all.
  static func edges(
    of picture: ComparedPicture, inside: [Bool]? = nil
  ) -> (field: EdgeField, gradients: [Double]) {
    let values = picture.blurred.values
    var field = EdgeField(width: picture.width, height: picture.height)
    var lengths = field.u
    let width = picture.width
    for y in 1..<picture.height - 1 {
      for x in 1..<width - 1 {
        let at = y * width + x
        if let inside, !inside[at] { continue }
        let (above, below) = (at - width, at + width)
        let left = values[above - 1] + 2 * values[at - 1] + values[below - 1]
        let right = values[above + 1] + 2 * values[at + 1] + values[below + 1]
        let top = values[above - 1] + 2 * values[above] + values[above + 1]
        let bottom = values[below - 1] + 2 * values[below] + values[below + 1]
        (field.u[at], field.v[at]) = (right - left, bottom - top)
        lengths[at] = (field.u[at] * field.u[at] + field.v[at] * field.v[at]).squareRoot()
      }
    }
    field.weigh(lengths)
    return (field, lengths)
  }

  /// Normalises the gradients to lengths between 0 and 1, and doubles their angles.
  private mutating func weigh(_ lengths: [Double]) {
    let some = Self.everyThird(lengths)
    let usual = max(Self.leastGradient, some[some.count >> 1])
    for at in lengths.indices {
      let length = lengths[at]
      guard length >= 1e-3 else { continue }
      let weight = length / (length + usual)
      let (cosine, sine) = (u[at] / length, v[at] / length)
      (u[at], v[at]) = (cosine * weight, sine * weight)
      du[at] = (cosine * cosine - sine * sine) * weight
      dv[at] = 2 * cosine * sine * weight
    }
  }

  /// Returns every third value in ascending order, enough to determine a quantile.
  static func everyThird(_ values: [Double]) -> [Double] {
    stride(from: 0, to: values.count, by: 3).map { values[$0] }.sorted()
  }

  /// Returns the field transformed by a similarity: each point has the value of this field at the
  /// point to which the similarity maps it, with directions rotated back; zero outside this field.
  func mapped(by map: Similarity) -> EdgeField {
    var result = EdgeField(width: width, height: height)
    let scale = map.zoom
    let (cosine, sine) = (map.a / scale, map.b / scale)
    let (cosine2, sine2) = (cosine * cosine - sine * sine, 2 * cosine * sine)
    let (middleX, middleY) = (Double(width - 1) / 2, Double(height - 1) / 2)
    let (lastX, lastY) = (Double(width - 1), Double(height - 1))
    let width = self.width
    read { u, v, du, dv in
      result.write { toU, toV, toDu, toDv in
        var index = 0
        for y in 0..<height {
          for x in 0..<width {
            defer { index += 1 }
            let (p, q) = (Double(x) - middleX, Double(y) - middleY)
            let fromX = map.a * p - map.b * q + map.x + middleX
            let fromY = map.b * p + map.a * q + map.y + middleY
            guard fromX >= 0, fromY >= 0, fromX < lastX, fromY < lastY else { continue }
            // Both are inside the picture, as just verified.
            let (left, top) = (Int(bounded: fromX), Int(bounded: fromY))
            let (right, low) = (fromX - Double(left), fromY - Double(top))
            let corners = (top * width + left, (top + 1) * width + left)
            let shares = (
              (1 - right) * (1 - low), right * (1 - low), (1 - right) * low, right * low
            )
            let uHere = Self.between(u, corners, shares)
            let vHere = Self.between(v, corners, shares)
            let duHere = Self.between(du, corners, shares)
            let dvHere = Self.between(dv, corners, shares)
            toU[index] = cosine * uHere + sine * vHere
            toV[index] = cosine * vHere - sine * uHere
            toDu[index] = cosine2 * duHere + sine2 * dvHere
            toDv[index] = cosine2 * dvHere - sine2 * duHere
          }
        }
      }
    }
    return result
  }

  @inline(__always)
  private static func between(
    _ values: UnsafeBufferPointer<Double>, _ corners: (above: Int, below: Int),
    _ shares: (Double, Double, Double, Double)
  ) -> Double {
    shares.0 * values[corners.above] + shares.1 * values[corners.above + 1]
      + shares.2 * values[corners.below] + shares.3 * values[corners.below + 1]
  }

  typealias Values = UnsafeBufferPointer<Double>
  typealias MutableValues = UnsafeMutableBufferPointer<Double>

  /// Provides `u`, `v`, `du` and `dv` for reading without bounds checks.
  func read<Result>(_ body: (Values, Values, Values, Values) -> Result) -> Result {
    u.withUnsafeBufferPointer { u in
      v.withUnsafeBufferPointer { v in
        du.withUnsafeBufferPointer { du in
          dv.withUnsafeBufferPointer { dv in body(u, v, du, dv) }
        }
      }
    }
  }

  private mutating func write(
    _ body: (MutableValues, MutableValues, MutableValues, MutableValues) -> Void
  ) {
    u.withUnsafeMutableBufferPointer { u in
      v.withUnsafeMutableBufferPointer { v in
        du.withUnsafeMutableBufferPointer { du in
          dv.withUnsafeMutableBufferPointer { dv in body(u, v, du, dv) }
        }
      }
    }
  }
}
