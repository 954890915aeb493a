/// The clock offsets of cameras given by the user, for example `Canon EOS 70D=+02:00:30`.
package struct GivenClocks: Hashable {
  /// The seconds by which each camera's clock was ahead of UTC, by the camera's name in lower case.
  private var seconds: [String: Double] = [:]

  /// The maximum offset of a clock from UTC in seconds. A clock that was never set may be years
  /// off, but a mistake in setting one is at most a day.
  package static let maximumSeconds = 86_400.0

  /// Whether no clocks are given.
  package var isEmpty: Bool { seconds.isEmpty }

  /// Creates an empty list of clocks.
  package init() {}

  /// Creates clocks; `nil` if a text is not of the form `CAMERA=+HH:MM` or `CAMERA=+HH:MM:SS`.
  package init?(_ texts: [String]) {
    for text in texts {
      guard let equals = text.lastIndex(of: "="),
        let value = Self.seconds(text[text.index(after: equals)...])
      else { return nil }
      let name = text[..<equals].drop { $0.isWhitespace }
      guard !name.isEmpty else { return nil }
      seconds[name.lowercased()] = value
    }
  }

  /// Returns the given seconds by which a camera's clock was ahead of UTC; `nil` if none is given.
  /// The user's name of a camera is the model, the maker and the model, or `*` for all cameras.
  package func seconds(ofMake make: String?, model: String?) -> Double? {
    let (make, model) = (make?.lowercased() ?? "", model?.lowercased() ?? "")
    return seconds[model] ?? seconds["\(make) \(model)"] ?? seconds["*"]
  }

  /// The clocks in the notation of the setting, ordered by name.
  package var texts: [String] {
    seconds.sorted { $0.key < $1.key }.map { "\($0.key)=\(ClockText.signed($0.value))" }
  }

  private static func seconds(_ text: Substring) -> Double? {
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var total = 0.0
    for (part, unit) in zip(parts, [3600.0, 60, 1]) {
      guard (1...2).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Double(part), unit == 3600 || number < 60
      else { return nil }
      total += number * unit
    }
    guard total <= maximumSeconds else { return nil }
    return sign == "-" ? -total : total
  }
}

/// The text form of clock offsets.
package enum ClockText {
  /// Returns an offset in seconds as `+02:00` or `+02:00:30`.
  package static func signed(_ seconds: Double) -> String {
    let whole = Int(saturating: seconds.magnitude.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let text = "\(seconds < 0 ? "-" : "+")\(two(whole / 3600)):\(two(whole / 60 % 60))"
    return whole % 60 == 0 ? text : text + ":\(two(whole % 60))"
  }
}
