/// A parser of untrusted input, with invariants that hold for every input.
///
/// The invariants go beyond not crashing: the result is plausible and deterministic, and its cost
/// is limited. `make fuzz` searches for inputs that violate one; tests run the inputs that once
/// did.
public struct FuzzTarget: Sendable {
  /// The name that selects the target.
  public let name: String
  /// Valid inputs, from which the search starts.
  public let seeds: [[UInt8]]

  let magic: Magic?
  private let findFault: @Sendable ([UInt8]) throws -> String?

  /// Bytes that an input of a target must have at a given offset.
  struct Magic {
    let offset: Int
    let forms: [[UInt8]]

    init(at offset: Int = 0, _ forms: [UInt8]...) {
      (self.offset, self.forms) = (offset, forms)
    }
  }

  init(
    _ name: String, magic: Magic? = nil, seeds: [[UInt8]],
    findFault: @escaping @Sendable ([UInt8]) throws -> String?
  ) {
    (self.name, self.magic, self.seeds, self.findFault) = (name, magic, seeds, findFault)
  }

  /// All targets.
  public static let all =
    photos + [exifBlock, thumbnail, picture] + comparisons + sidecars + [index, mapped] + feeds + [
      gzip, watch,
    ] + state
    + recreations + [places] + placeFiles + remote
    + positions

  /// Returns whether an input is meant for this target rather than another one.
  public func accepts(_ input: [UInt8]) -> Bool {
    guard let magic else { return true }
    return magic.forms.contains { input.dropFirst(magic.offset).starts(with: $0) }
  }

  /// Runs the target with an input, and returns the violated invariant; `nil` if there is none.
  public func fault(in input: [UInt8]) -> String? {
    do {
      return try findFault(input)
    } catch {
      return "an error that no input should cause: \(error)"
    }
  }
}
