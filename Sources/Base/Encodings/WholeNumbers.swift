// Compiled into every module through a symbolic link, so that the compiler checks each conversion
// from `Double` to an integer without an import. ArchitectureTests verifies that the links exist.

extension FixedWidthInteger {
  /// Creates an integer by truncating a number toward zero.
  ///
  /// A number outside the type's range becomes the nearest bound, and NaN becomes 0, so untrusted
  /// input cannot trap.
  init(saturating value: Double) {
    self =
      Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}

extension Int {
  /// Creates an integer by truncating a number that is known to be in range.
  ///
  /// Cheaper than ``init(saturating:)``: one instruction and a range check. Meant for hot loops
  /// over numbers that the program itself has bounded; the call site states the bound.
  ///
  /// - Precondition: The truncated number is within the type's range.
  @inline(__always)
  init(bounded value: Double) { self.Swift::init(value) }
}

extension Duration {
  /// Creates a duration from seconds, clamped to a century in either direction; NaN becomes 0.
  static func seconds(saturating seconds: Double) -> Duration {
    .milliseconds(Int64(saturating: min(max(seconds, -3_155_760_000), 3_155_760_000) * 1000))
  }

  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use seconds(saturating:)")
  static func seconds(_ seconds: Double) -> Duration { .seconds(saturating: seconds) }

  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use seconds(saturating:)")
  static func milliseconds(_ milliseconds: Double) -> Duration {
    .seconds(saturating: milliseconds / 1000)
  }
}

// The standard library's conversions trap if a number is not finite or is out of range. The
// overloads below have the same signatures, and the compiler prefers them. They are deprecated, and
// warnings are errors, so each use of a trapping conversion fails the build.

extension Int {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int8 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int16 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int32 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int64 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt8 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt16 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt32 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt64 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int128 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt128 {
  /// Shadows the trapping conversion of the standard library.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}
