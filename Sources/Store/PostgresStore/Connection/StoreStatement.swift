#if Postgres
  /// The statements of one part of the store, as an enumeration whose raw values are their SQL.
  ///
  /// A connection runs no other statements, so a test can read every statement of the program. The
  /// first parameter, `$1`, is the owner for whom the connection acts; the connection supplies it.
  package protocol StoreStatement: CaseIterable, RawRepresentable, Sendable
  where RawValue == String {
    /// Whether the first parameter is the owner. Only statements that list or find owners have no
    /// owner.
    static var namesOwner: Bool { get }
  }

  extension StoreStatement {
    /// The first parameter is the owner.
    package static var namesOwner: Bool { true }
  }

  /// The number of an owner of a library.
  package struct OwnerID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, from 1 up.
    package let number: Int64

    /// Creates the number of an owner.
    package init(_ number: Int64) {
      self.number = number
    }

    /// The number as text.
    package var description: String { "\(number)" }

    /// The order of numbers.
    package static func < (left: OwnerID, right: OwnerID) -> Bool { left.number < right.number }
  }
#endif
