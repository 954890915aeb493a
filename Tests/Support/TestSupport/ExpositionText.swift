/// A page in the text format of Prometheus, parsed strictly by its specification (Prometheus,
/// "Exposition formats", text-based format, version 0.0.4).
public struct ExpositionText {
  /// A value of a metric.
  public struct Sample: Hashable {
    public let name: String
    public let labels: [String: String]
    public let value: Double
  }

  /// A violation of the format.
  public struct Fault: Error, CustomStringConvertible {
    public let description: String
  }

  /// The samples, in the order of the page.
  public private(set) var samples: [Sample] = []
  /// The types of the metrics, by name.
  public private(set) var kinds: [String: String] = [:]
  /// The help texts of the metrics, by name.
  public private(set) var helps: [String: String] = [:]

  /// Reads a page.
  public init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Fault(description: "the last line has no end") }
    var finished: Set<String> = []
    var current: String?
    // A carriage return followed by a line feed is one character.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropLast().map({ Substring($0) }) {
      let name: String
      if line.hasPrefix("#") {
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "#" else { throw Fault(description: "\(line)") }
        name = String(parts[2])
        switch parts[1] {
        case "HELP":
          guard helps.updateValue(String(parts[3]), forKey: name) == nil else {
            throw Fault(description: "a second help of \(name)")
          }
        case "TYPE":
          guard ["counter", "gauge"].contains(parts[3]), kinds[name] == nil,
            !samples.contains(where: { $0.name == name })
          else { throw Fault(description: "\(line)") }
          kinds[name] = String(parts[3])
        default: throw Fault(description: "\(line)")
        }
      } else {
        let sample = try Self.sample(line)
        guard kinds[sample.name] != nil, helps[sample.name] != nil else {
          throw Fault(description: "\(sample.name) has no type or help")
        }
        guard !samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels })
        else { throw Fault(description: "\(sample.name) twice with the same labels") }
        samples.append(sample)
        name = sample.name
      }
      if name != current {
        // All lines of a metric must form one group.
        guard finished.insert(name).inserted else {
          throw Fault(description: "the lines of \(name) are apart")
        }
        current = name
      }
      guard Self.isName(name) else { throw Fault(description: "\(name) is no name") }
    }
    for (name, kind) in kinds where (kind == "counter") != name.hasSuffix("_total") {
      throw Fault(description: "\(name) is a \(kind)")
    }
  }

  /// Returns the value of the sample with the given labels; `nil` if there is none.
  public func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  private static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "_")
    }
  }

  private static func sample(_ line: Substring) throws -> Sample {
    let fault = Fault(description: String(line))
    let name = line.prefix { $0 != "{" && $0 != " " }
    var rest = line[name.endIndex...].unicodeScalars[...]
    var labels: [String: String] = [:]
    if rest.first == "{" {
      rest.removeFirst()
      while rest.first != "}" {
        let label = String(String.UnicodeScalarView(rest.prefix { $0 != "=" }))
        rest = rest.drop { $0 != "=" }.dropFirst()
        guard isName(label), rest.popFirst() == "\"" else { throw fault }
        var value = ""
        while let scalar = rest.popFirst(), scalar != "\"" {
          guard scalar == "\\" else {
            value.unicodeScalars.append(scalar)
            continue
          }
          switch rest.popFirst() {
          case "\\": value += "\\"
          case "\"": value += "\""
          case "n": value += "\n"
          default: throw fault
          }
        }
        guard labels.updateValue(value, forKey: label) == nil else { throw fault }
        if rest.first == "," { rest.removeFirst() } else if rest.first != "}" { throw fault }
      }
      rest.removeFirst()
    }
    guard rest.popFirst() == " " else { throw fault }
    let text = String(String.UnicodeScalarView(rest))
    let special: [String: Double] = ["NaN": .nan, "+Inf": .infinity, "-Inf": -.infinity]
    guard let value = special[text] ?? Double(text), special[text] != nil || value.isFinite else {
      throw fault
    }
    return Sample(name: String(name), labels: labels, value: value)
  }
}
