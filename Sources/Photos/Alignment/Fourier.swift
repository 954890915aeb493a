import CLibrary

/// The Fourier transform of square complex fields whose side is a power of two.
///
/// Spectra are in bit-reversed order: the forward transform decimates in frequency and produces
/// this order; the backward transform decimates in time and consumes it. Products of two spectra do
/// not depend on the order. Columns are transformed by transposing the field.
struct Fourier {
  private let size: Int
  private let cosines: [Double]
  private let sines: [Double]

  /// A field with a real and an imaginary part for each of its `size` × `size` values.
  struct Values {
    var re: [Double]
    var im: [Double]

    init(count: Int) {
      re = [Double](repeating: 0, count: count)
      im = re
    }
  }

  /// Creates a transform of fields with a given side.
  ///
  /// - Precondition: `size` is a power of two.
  init(size: Int) {
    precondition(size > 0 && size & (size - 1) == 0)
    self.size = size
    let angles = (0..<size / 2).map { 2 * Double.pi * Double($0) / Double(size) }
    (cosines, sines) = (angles.map { cos($0) }, angles.map { sin($0) })
  }

  /// Transforms a field to its spectrum, in bit-reversed order.
  func forward(_ values: inout Values) { transform(&values, decimateInFrequency) }

  /// Transforms a spectrum to its field, multiplied by the number of values.
  func backward(_ values: inout Values) { transform(&values, decimateInTime) }

  private typealias Part = UnsafeMutablePointer<Double>

  /// Transforms all columns, then all rows, by transposing the field in between. The result stays
  /// transposed, which the opposite transform undoes.
  private func transform(_ values: inout Values, _ rows: (Part, Part) -> Void) {
    precondition(values.re.count == size * size && values.im.count == size * size)
    values.re.withUnsafeMutableBufferPointer { re in
      values.im.withUnsafeMutableBufferPointer { im in
        guard let re = re.baseAddress, let im = im.baseAddress else { return }
        rows(re, im)
        transpose(re)
        transpose(im)
        rows(re, im)
      }
    }
  }

  private func decimateInFrequency(_ re: Part, _ im: Part) {
    var half = size / 2
    while half >= 1 {
      for row in 0..<size where row & half == 0 {
        let factor = (row % half) * size / (2 * half)
        let (cosine, sine) = (cosines[factor], sines[factor])
        let (re0, im0) = (re + row * size, im + row * size)
        let (re1, im1) = (re0 + half * size, im0 + half * size)
        for at in 0..<size {
          let (differenceRe, differenceIm) = (re0[at] - re1[at], im0[at] - im1[at])
          re0[at] += re1[at]
          im0[at] += im1[at]
          re1[at] = differenceRe * cosine + differenceIm * sine
          im1[at] = differenceIm * cosine - differenceRe * sine
        }
      }
      half /= 2
    }
  }

  private func decimateInTime(_ re: Part, _ im: Part) {
    var half = 1
    while half < size {
      for row in 0..<size where row & half == 0 {
        let factor = (row % half) * size / (2 * half)
        let (cosine, sine) = (cosines[factor], sines[factor])
        let (re0, im0) = (re + row * size, im + row * size)
        let (re1, im1) = (re0 + half * size, im0 + half * size)
        for at in 0..<size {
          let turnedRe = re1[at] * cosine - im1[at] * sine
          let turnedIm = im1[at] * cosine + re1[at] * sine
          re1[at] = re0[at] - turnedRe
          im1[at] = im0[at] - turnedIm
          re0[at] += turnedRe
          im0[at] += turnedIm
        }
      }
      half *= 2
    }
  }

  private func transpose(_ values: Part) {
    for y in 1..<size {
      for x in 0..<y {
        (values[y * size + x], values[x * size + y]) = (values[x * size + y], values[y * size + x])
      }
    }
  }
}
