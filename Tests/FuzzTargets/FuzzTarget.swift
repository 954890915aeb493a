/// Something that reads what strangers wrote, and what it promises of any input.
///
/// A promise is more than not to crash: what is read makes sense, is the same each time, and costs
/// no more than is allowed. `make fuzz` searches for inputs that break one; tests read those that
/// once did.
public struct FuzzTarget: Sendable {
  /// The name by which it is chosen.
  public let name: String
  /// Sound inputs, which a search starts from.
  public let seeds: [[UInt8]]

  let magic: Magic?
  private let findFault: @Sendable ([UInt8]) throws -> String?

  /// What an input must have at a place to be one for a target.
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
    photos + [exifBlock, thumbnail, picture] + sidecars + [index, mapped] + feeds + [watch] + state
    + recreations + [places] + placeFiles + remote
    + positions

  /// Whether an input is one for this target, not for another one.
  public func accepts(_ input: [UInt8]) -> Bool {
    guard let magic else { return true }
    return magic.forms.contains { input.dropFirst(magic.offset).starts(with: $0) }
  }

  /// Reads an input, and says which promise was broken; `nil` where none was.
  public func fault(in input: [UInt8]) -> String? {
    do {
      return try findFault(input)
    } catch {
      return "an error that no input should cause: \(error)"
    }
  }
}
