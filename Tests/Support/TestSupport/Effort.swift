import CLibrary

/// The effort of tests that repeat a check with many inputs: `make soak` sets
/// `PHOTOSPOTS_THOROUGH`, and the ordinary tests, which must be quick, use a part of the inputs.
public enum Effort {
  /// Whether all inputs are used.
  public static let isThorough = getenv("PHOTOSPOTS_THOROUGH") != nil

  /// Returns a number of inputs, or an eighth of it, rounded up, for a quick test.
  public static func scaled(_ count: Int) -> Int { isThorough ? count : (count + 7) / 8 }

  /// Returns the seeds from 1 to a number, or an eighth of them for a quick test.
  public static func seeds(_ count: Int) -> ClosedRange<UInt64> { 1...UInt64(scaled(count)) }

  /// Returns all inputs, or some of them for a quick test.
  public static func inputs<Input>(_ all: [Input], quick: [Input]) -> [Input] {
    isThorough ? all : quick
  }
}
