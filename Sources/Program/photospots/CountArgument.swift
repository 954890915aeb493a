import ArgumentParser

/// A count on the command line.
struct CountArgument: ExpressibleByArgument {
  let count: Int

  init?(argument: String) {
    // A negative number among coordinates is passed with a leading space.
    guard let count = Int(argument.drop { $0 == " " }) else { return nil }
    self.count = count
  }

  /// Throws a `ValidationError` if the count is less than one.
  func check(_ flag: String) throws {
    guard count > 0 else {
      throw ValidationError("\(flag) \(count) is out of range; write 1 or more")
    }
  }
}
