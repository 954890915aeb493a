/// The sizes of cameras' sensors, by make and model as written in metadata.
///
/// The table is used only for photos without a 35 mm equivalent focal length: those of all Canon
/// EOS, most Olympus and Pentax, and older compact cameras. Phones have several lenses with a
/// sensor each, and write the equivalent themselves. The figures are the makers'; all are within 5
/// % of those in the Lensfun database (lensfun.github.io, version 0.3.3) for the same 409 cameras.
enum SensorTable {
  /// Returns the crop factor of a camera: the ratio of the 35 mm equivalent focal length to the
  /// real one. `nil` if the camera is not in the table.
  static func cropFactor(of camera: Camera) -> Double? {
    guard let make = camera.make?.lowercased(), var model = camera.model?.lowercased() else {
      return nil
    }
    guard let maker = makers.first(where: { make.hasPrefix($0.name) }) else { return nil }
    for prefix in ["canon ", "nikon ", "olympus ", "pentax ", "ricoh ", "leica "]
    where model.hasPrefix(prefix) && make.hasPrefix(prefix.dropLast()) {
      model.removeFirst(prefix.count)
    }
    var best: (length: Int, factor: Double)?
    for (factor, patterns) in maker.models {
      for pattern in patterns.lowercased().split(separator: "|") where matches(model, pattern) {
        // The longest matching prefix wins, and a pattern without an asterisk wins over all.
        let length = pattern.prefix { $0 != "*" }.utf8.count + (pattern.contains("*") ? 0 : 1000)
        if best.map({ length > $0.length }) ?? true { best = (length, factor) }
      }
    }
    return best?.factor
  }

  private struct Maker {
    let name: String
    let models: [(Double, String)]
  }

  private static let makers: [Maker] = [
    Maker(
      name: "canon",
      models: [
        (
          1,
          "EOS-1D X*|EOS-1Ds*|EOS 5D*|EOS 6D*|EOS R|EOS Ra|EOS RP|EOS R1|EOS R3|EOS R5*|EOS R6*|EOS R8"
        ),
        (1.3, "EOS-1D|EOS-1D Mark*"),
        (
          1.6,
          "EOS *D|EOS *D *|EOS M*|EOS R7|EOS R10|EOS R50|EOS R100|EOS D*|EOS Kiss*|EOS Rebel*"
        ),
        (1.85, "PowerShot G1 X|PowerShot G1 X Mark II"),
        (2.7, "PowerShot G5 X*|PowerShot G7 X*|PowerShot G9 X*"),
      ]),
    Maker(
      name: "nikon",
      models: [
        (
          1,
          "D3|D3S|D3X|D4|D4S|D5|D6|D600|D610|D700|D750|D780|D800*|D810*|D850|Df|Z 5*|Z 6*|Z 7*|Z 8|Z 9|Z f"
        ),
        (1.5, "D*|Z 30|Z 50*|Z 50|Z fc"), (2.7, "1 *"),
      ]),
    Maker(
      name: "sony",
      models: [
        (
          1,
          "ILCE-7*|ILCE-9*|ILCE-1|SLT-A99*|DSLR-A850|DSLR-A900|ILCA-99M2|DSC-RX1|DSC-RX1R*"
        ),
        (1.5, "ILCE-*|NEX-*|SLT-*|DSLR-*|ILCA-*"), (2.7, "DSC-RX10*|DSC-RX100*"),
      ]),
    Maker(name: "olympus", models: [(2, "E-*"), (3.93, "E-10|E-20*")]),
    Maker(name: "om digital", models: [(2, "OM-*")]),
    Maker(
      name: "panasonic",
      models: [(2, "DMC-G*|DC-G*|DMC-L1|DMC-L10"), (1, "DC-S1*|DC-S5*|DC-S9")]),
    Maker(
      name: "fujifilm",
      models: [
        (1.5, "X-A*|X-E*|X-H*|X-M*|X-Pro*|X-S10|X-S20|X-T*|X100*|X70"), (0.79, "GFX*"),
      ]),
    Maker(name: "pentax", models: [(1, "K-1*"), (1.5, "K*|*ist*"), (0.79, "645*")]),
    Maker(
      name: "ricoh",
      models: [(1, "PENTAX K-1*"), (1.5, "GR|GR II|GR III*|PENTAX K*")]),
    Maker(name: "leica", models: [(1.33, "M8*"), (1, "M9*|M Monochrom*|M10*|M11*|SL*|Q*")]),
    Maker(name: "apple", models: [(7.6, "iPhone 4")]),
  ]

  /// Returns whether a text matches a pattern, in which an asterisk matches any text.
  private static func matches(_ text: String, _ pattern: Substring) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return text == pattern
    }
    guard text.hasPrefix(first) else { return false }
    var rest = text.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.count >= last.count && rest.hasSuffix(last)
  }
}
