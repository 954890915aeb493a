extension Trace {
  /// Every trace, by kind.
  public static let all: [Trace] = {
    let traces = walks + vehicles + troubles + habits
    return Kind.allCases.flatMap { kind in traces.filter { $0.kind == kind } }
  }()
}
