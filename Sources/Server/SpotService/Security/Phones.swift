package import Encodings

/// Keeps the phones that may report their position.
public protocol Phones: Sendable {
  /// Returns the phones, in the order in which they were added.
  ///
  /// - Throws: A problem if they cannot be read.
  func all() throws(Problem) -> [Phone]

  /// Returns the phone with a token; `nil` if there is none.
  func phone(showing token: String) -> Phone?

  /// Checks that a phone of a name can be added.
  ///
  /// - Throws: The problem why it cannot.
  func check(_ name: String) throws(Problem)

  /// Adds a phone with a new token.
  ///
  /// - Throws: A problem if it cannot be added or stored.
  func add(_ name: String) throws(Problem) -> (phone: Phone, token: String)

  /// Renames a phone; returns whether there is one with the id.
  ///
  /// - Throws: A problem if the name cannot be used, or the phones cannot be stored.
  func rename(_ id: String, to name: String) throws(Problem) -> Bool

  /// Removes a phone and ends its session; returns whether there was one.
  ///
  /// - Throws: A problem if the phones cannot be stored.
  func remove(_ id: String) throws(Problem) -> Bool

  /// Returns the address at which phones reach the page.
  ///
  /// - Parameter request: A request of a browser that reached the page.
  /// - Returns: The address.
  func page(askedBy request: ServiceRequest) -> PhonePage
}

/// The address of the page for phones.
public struct PhonePage: Hashable, Sendable {
  /// The address, with a slash at its end.
  public let address: String
  /// Whether other machines can reach it; not so for an address of this machine only.
  public let isReachable: Bool

  /// Creates an address.
  public init(address: String, isReachable: Bool) {
    (self.address, self.isReachable) = (address, isReachable)
  }
}

/// An invitation of a phone: the address of the page with a code that works once, and its QR code.
///
/// The code is in the fragment of the address, which browsers do not send to servers. The page uses
/// it up after the person agreed, not when it is opened: programs may open links for a preview.
public struct PhoneInvitation: Hashable, Sendable {
  /// The address.
  public let link: String
  /// Whether other machines can reach it.
  public let isReachable: Bool

  /// Creates the invitation of a code.
  public init(_ code: PairingCode, at page: PhonePage) {
    link = "\(page.address)#pair=\(code.text)&phone"
    isReachable = page.isReachable
  }

  /// The link as a QR code; `nil` if it is too long for one.
  package var picture: QRCode? { QRCode(Array(link.utf8)) }

  /// Writes the members of an object: the link, and the QR code as a path of SVG in a square of
  /// `size` units.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("link", link)
    writer.member("isReachable", isReachable)
    writer.key("picture")
    guard let picture else { return writer.null() }
    writer.object { writer in
      writer.member("size", picture.size + 2 * QRCode.borderWidth)
      writer.member("path", picture.path)
    }
  }
}
