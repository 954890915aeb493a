// Compiled into every module, by a symbolic link: the compiler then finds each conversion of a
// `Double` to a whole number in all of them, without a file having to import anything.
// ArchitectureTests hold that the links are there.

extension FixedWidthInteger {
  /// Creates the whole number that is left when a number's decimals are cut off.
  ///
  /// A number outside of the type's range becomes the nearer bound, and NaN becomes 0, so no
  /// foreign number stops the program.
  init(saturating value: Double) {
    self =
      Self(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
  }
}

extension Int {
  /// Creates the whole number that is left when the decimals of a number that is known to be in
  /// range are cut off.
  ///
  /// One instruction and a check, for numbers that the program itself has bounded and that are
  /// many: the caller says by what.
  ///
  /// - Precondition: The number is within the range of the type.
  @inline(__always)
  init(bounded value: Double) { self.Swift::init(value) }
}

extension Duration {
  /// Creates a duration from seconds, which may be any number: a century at most, and 0 for NaN.
  static func seconds(saturating seconds: Double) -> Duration {
    .milliseconds(Int64(saturating: min(max(seconds, -3_155_760_000), 3_155_760_000) * 1000))
  }

  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use seconds(saturating:)")
  static func seconds(_ seconds: Double) -> Duration { .seconds(saturating: seconds) }

  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use seconds(saturating:)")
  static func milliseconds(_ milliseconds: Double) -> Duration {
    .seconds(saturating: milliseconds / 1000)
  }
}

// The conversions of the standard library trap where a number is not finite or out of range. These
// have the same signatures and are preferred to them; warnings are errors.

extension Int {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int8 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int16 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int32 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int64 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt8 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt16 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt32 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt64 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension Int128 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}

extension UInt128 {
  /// Traps where the number is out of range.
  @available(*, deprecated, message: "use init(saturating:)")
  init(_ value: Double) { self.init(saturating: value) }
}
