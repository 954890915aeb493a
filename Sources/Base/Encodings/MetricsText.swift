/// A writer of metrics in the text format of Prometheus, version 0.0.4 (Prometheus, "Exposition
/// formats").
///
/// ```swift
/// var text = MetricsText()
/// text.add("photospots_fixes_total", .counter, "Received positions.") { family in
///   family.sample(12, ["device": "phone"])
/// }
/// ```
package struct MetricsText: Sendable {
  /// The type of a metric.
  package enum Kind: String, Sendable {
    /// A number that only increases while the program runs.
    case counter
    /// A number that can increase and decrease.
    case gauge
  }

  /// A named metric to which samples are added.
  package struct Family {
    fileprivate let name: String
    fileprivate var text = ""

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - labels: Label names, of letters and underscores, and their values, which may be any
    ///     text. No two samples of a metric may have equal labels.
    package mutating func sample(_ value: Double, _ labels: KeyValuePairs<String, String> = [:]) {
      text += name
      if !labels.isEmpty {
        let pairs = labels.map { "\($0.key)=\"\(MetricsText.escaped($0.value, quotes: true))\"" }
        text += "{" + pairs.joined(separator: ",") + "}"
      }
      text += " " + MetricsText.number(value) + "\n"
    }

    /// Adds a sample whose value is an integer.
    package mutating func sample(_ value: Int, _ labels: KeyValuePairs<String, String> = [:]) {
      sample(Double(value), labels)
    }
  }

  private var text = ""

  /// Creates a text without metrics.
  package init() {}

  /// The text.
  package var bytes: [UInt8] { Array(text.utf8) }

  /// Adds a metric with its samples; without samples, only its help and type lines.
  ///
  /// - Parameters:
  ///   - name: The name: letters, digits and underscores, ending in `_total` for a counter. Each
  ///     name may be added once.
  ///   - kind: The type of the metric.
  ///   - help: A description of the metric.
  ///   - write: A closure that adds the samples.
  package mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ write: (inout Family) -> Void
  ) {
    var family = Family(name: name)
    write(&family)
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
    text += "# TYPE \(name) \(kind.rawValue)\n"
    text += family.text
  }

  /// Returns a text with backslashes and line feeds escaped, and double quotes if `quotes` is
  /// `true`.
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

  /// Returns a number in a form that Go's `ParseFloat` accepts.
  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if let whole = Int64(exactly: value), abs(value) < 1e15 { return "\(whole)" }
    return "\(value)"
  }
}
