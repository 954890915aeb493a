import Synchronization

/// The photos whose pictures turned out to be cut off or to show hardly anything, by their names.
///
/// A name changes with the file, so it stays in the list forever.
public final class PoorPhotos: Sendable {
  /// The maximum number of names; of more, the first are kept.
  static let maximumCount = 65_536

  private let names: Mutex<Set<String>>

  /// Creates a list.
  public init(_ names: some Sequence<String> = []) {
    self.names = Mutex(Set(names.prefix(Self.maximumCount)))
  }

  /// The names, sorted.
  public var all: [String] { names.withLock { $0.sorted() } }

  /// A number that changes with the list.
  var revision: Int { names.withLock(\.count) }

  /// Adds a photo; returns whether the list has changed.
  public func add(_ name: String) -> Bool {
    names.withLock { names in
      names.count < Self.maximumCount && names.insert(name).inserted
    }
  }

  /// Returns whether a photo is in the list.
  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
}
