/// Metrics in the text format of Prometheus, version 0.0.4 (Prometheus, "Exposition formats").
///
/// ```swift
/// var text = MetricsText()
/// text.add("photospots_fixes_total", .counter, "Positions that have come.") { family in
///   family.sample(12, ["device": "phone"])
/// }
/// ```
package struct MetricsText: Sendable {
  /// The kind of a metric.
  package enum Kind: String, Sendable {
    /// A number that only grows while the program runs.
    case counter
    /// A number that goes up and down.
    case gauge
  }

  /// A metric with one name, to which samples are added.
  package struct Family {
    fileprivate let name: String
    fileprivate var text = ""

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - labels: Names of letters and underscores with any values; each set of labels once.
    package mutating func sample(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
      text += name
      if !labels.isEmpty {
        let pairs = labels.map { "\($0.key)=\"\(MetricsText.escaped($0.value, quotes: true))\"" }
        text += "{" + pairs.joined(separator: ",") + "}"
      }
      text += " " + MetricsText.number(value) + "\n"
    }

    /// Adds a sample that is a whole number.
    package mutating func sample(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
      sample(Double(value), labels)
    }
  }

  private var text = ""

  /// Creates a text without metrics.
  package init() {}

  /// The text.
  package var bytes: [UInt8] { Array(text.utf8) }

  /// Adds a metric with its samples; without any, only what it is.
  ///
  /// - Parameters:
  ///   - name: The name: letters, digits and underscores, with `_total` at the end of a counter.
  ///     Each name once.
  ///   - kind: The kind.
  ///   - help: What is counted or measured.
  ///   - write: Adds the samples.
  package mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ write: (inout Family) -> Void
  ) {
    var family = Family(name: name)
    write(&family)
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
    text += "# TYPE \(name) \(kind.rawValue)\n"
    text += family.text
  }

  /// A text with the escapes of the format: backslashes and line feeds, in labels quotes too.
  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A number as Go's `ParseFloat` reads it.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if let whole = Int64(exactly: value), abs(value) < 1e15 { return "\(whole)" }
    return "\(value)"
  }
}
