import CLibrary

/// A search for candidate placements of a view in pictures, by correlation over rotations, scales
/// and shifts.
///
/// It uses fields whose longer side is at most 64 pixels. The correlation is cyclic; window
/// functions make the wrap-around harmless.
struct ViewSearch {
  /// The rotations that are tried, in degrees.
  private static let turns: [Double] = [-12, -9, -6, -3, 0, 3, 6, 9, 12]
  /// The scales that are tried.
  private static let zooms = [0.74, 0.82, 0.91, 1, 1.1, 1.22, 1.35]
  /// The side of the correlated fields, in pixels.
  private static let size = 64
  private static let fourier = Fourier(size: size)
  /// The distance in pixels from which two shifts count as different.
  private static let apart = 4.0

  /// A candidate placement, with its shift in pixels of the field.
  struct Place {
    /// The index of the template with this rotation and scale.
    let template: Int
    let turnDegrees: Double
    let zoom: Double
    let x: Double
    let y: Double
    /// The normalised correlation at the placement, at most 1.
    let peak: Double
  }

  /// The spectra of a field's gradients, and of the gradients with doubled angles.
  private struct Spectra {
    var single: Fourier.Values
    var double: Fourier.Values
    /// The sum of the squares of both fields, for normalising correlations.
    var energy: Double
  }

  private var templates: [(turnDegrees: Double, zoom: Double, spectra: Spectra)] = []
  private let weights: [Double]

  /// Creates a search for the view of a field.
  init(_ field: EdgeField) {
    weights = Self.window(of: field)
    for zoom in Self.zooms {
      for turn in Self.turns {
        let map = Similarity(turnDegrees: turn, zoom: zoom).inverse
        templates.append((turn, zoom, Self.spectra(of: field.mapped(by: map), weights)))
      }
    }
  }

  /// Returns the best placements of the view in a field, best first, at most `most`. Any two of
  /// them differ in rotation, scale or shift.
  func places(in field: EdgeField, most: Int) -> [Place] {
    let seen = Self.spectra(of: field, weights)
    var products = Fourier.Values(count: Self.size * Self.size)
    var found = templates.indices.map { place($0, in: seen, &products) }
    found.sort { $0.peak > $1.peak }
    // A repeated pattern matches again at the same rotation and scale.
    found.insert(place(found[0].template, in: seen, &products, apartFrom: found[0]), at: 1)
    var places: [Place] = []
    for place in found {
      guard places.count < most else { break }
      if places.allSatisfy({ Self.isAnother(place, $0) }) { places.append(place) }
    }
    return places
  }

  /// Whether two placements differ; neighbours in the grid converge to the same placement.
  private static func isAnother(_ one: Place, _ other: Place) -> Bool {
    hypot(one.x - other.x, one.y - other.y) > apart
      || abs(one.turnDegrees - other.turnDegrees) > 3.5 || abs(log(one.zoom / other.zoom)) > 0.12
  }

  /// Returns the best placement of a template, or the best whose shift differs from that of
  /// another.
  private func place(
    _ template: Int, in seen: Spectra, _ products: inout Fourier.Values,
    apartFrom taken: Place? = nil
  ) -> Place {
    let (turn, zoom, spectra) = templates[template]
    Self.multiply(spectra, seen, into: &products)
    Self.fourier.backward(&products)
    let (size, count) = (Self.size, products.re.count)
    let at = products.re.withUnsafeBufferPointer { values in
      var best = -1
      for index in 0..<count {
        if best >= 0, values[index] <= values[best] { continue }
        if let taken, Self.isBeside(index, taken) { continue }
        best = index
      }
      return max(0, best)
    }
    let energy = (spectra.energy * seen.energy).squareRoot()
    return Place(
      template: template, turnDegrees: turn, zoom: zoom, x: Self.signed(at % size),
      y: Self.signed(at / size), peak: products.re[at] / (Double(count) * energy + 1e-9))
  }

  private static func signed(_ place: Int) -> Double {
    Double(place > size / 2 ? place - size : place)
  }

  private static func isBeside(_ index: Int, _ place: Place) -> Bool {
    let (x, y) = (Int(saturating: place.x), Int(saturating: place.y))
    return hypot(
      signed((index % size - x + 2 * size) % size), signed((index / size - y + 2 * size) % size))
      <= apart
  }

  /// Multiplies the picture's spectra by the conjugates of the template's, and adds the products
  /// for single and doubled angles.
  private static func multiply(
    _ template: Spectra, _ seen: Spectra, into products: inout Fourier.Values
  ) {
    let (single, double) = (template.single, template.double)
    products.re.withUnsafeMutableBufferPointer { re in
      products.im.withUnsafeMutableBufferPointer { im in
        for index in re.indices {
          let (a, b) = (seen.single.re[index], seen.single.im[index])
          let (c, d) = (single.re[index], single.im[index])
          let (e, f) = (seen.double.re[index], seen.double.im[index])
          let (g, h) = (double.re[index], double.im[index])
          re[index] = a * c + b * d + e * g + f * h
          im[index] = b * c - a * d + f * g - e * h
        }
      }
    }
  }

  private static func spectra(of field: EdgeField, _ weights: [Double]) -> Spectra {
    field.read { u, v, du, dv in
      let (single, energy) = spectrum(u, v, field, weights)
      let (double, more) = spectrum(du, dv, field, weights)
      return Spectra(single: single, double: double, energy: energy + more)
    }
  }

  /// Returns the spectrum of a windowed field of gradients, as complex numbers, and the sum of
  /// their squares.
  private static func spectrum(
    _ across: EdgeField.Values, _ down: EdgeField.Values, _ field: EdgeField, _ weights: [Double]
  ) -> (values: Fourier.Values, energy: Double) {
    var values = Fourier.Values(count: size * size)
    var (energy, from) = (0.0, 0)
    for y in 0..<field.height {
      for x in 0..<field.width {
        let (re, im) = (across[from] * weights[from], down[from] * weights[from])
        (values.re[y * size + x], values.im[y * size + x]) = (re, im)
        energy += re * re + im * im
        from += 1
      }
    }
    fourier.forward(&values)
    return (values, energy)
  }

  /// Returns the square root of a Hann window: the product of two of them falls to zero at the
  /// edges.
  private static func window(of field: EdgeField) -> [Double] {
    let columns = sines(field.width)
    return sines(field.height).flatMap { row in columns.map { row * $0 } }
  }

  private static func sines(_ count: Int) -> [Double] {
    (0..<count).map { sin(.pi * Double($0 + 1) / Double(count + 1)) }
  }
}
