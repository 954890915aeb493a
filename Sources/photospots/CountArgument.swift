import ArgumentParser

/// How many of something, on the command line.
struct CountArgument: ExpressibleByArgument {
  let count: Int

  init?(argument: String) {
    // A negative number among coordinates has a space before it.
    guard let count = Int(argument.drop { $0 == " " }) else { return nil }
    self.count = count
  }

  /// Throws `ValidationError` where it is not at least one.
  func check(_ flag: String) throws {
    guard count > 0 else {
      throw ValidationError("\(flag) \(count) is out of range; write 1 or more")
    }
  }
}
