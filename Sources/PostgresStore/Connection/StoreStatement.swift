#if Postgres
  /// The statements of one part of the store, as an enumeration whose raw values are their SQL.
  ///
  /// A connection runs nothing else, so a test can read every statement that the program sends. The
  /// first parameter of a statement, `$1`, is the owner for whom the connection acts, which the
  /// connection puts in itself.
  package protocol StoreStatement: CaseIterable, RawRepresentable, Sendable
  where RawValue == String {
    /// Whether the first parameter is the owner. Only what lists or finds owners does without.
    static var namesOwner: Bool { get }
  }

  extension StoreStatement {
    /// The first parameter is the owner.
    package static var namesOwner: Bool { true }
  }

  /// The number of an owner, to whom a library belongs.
  package struct OwnerID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, from 1 up.
    package let number: Int64

    /// Names an owner.
    package init(_ number: Int64) {
      self.number = number
    }

    /// The number as text.
    package var description: String { "\(number)" }

    /// The order of numbers.
    package static func < (left: OwnerID, right: OwnerID) -> Bool { left.number < right.number }
  }
#endif
