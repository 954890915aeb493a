/// The value of a header If-Match or If-None-Match (RFC 9110, sections 13.1.1 and 13.1.2).
public enum EntityTags: Equatable, Sendable {
  /// Any current representation: `*`.
  case any
  /// The listed entity tags with their quotation marks, in their order.
  case listed([String])

  /// Parses a value. Parts that are not entity tags are left out, so they match nothing.
  public init(_ field: String) {
    let bytes = Array(field.utf8)
    var tags: [String] = []
    var place = 0
    while place < bytes.count {
      var start = place
      if bytes[start...].starts(with: "W/".utf8) { start += 2 }
      // An opaque tag may contain commas, but no quotation marks (section 8.8.3).
      if start < bytes.count, bytes[start] == UInt8(ascii: "\""),
        let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\""))
      {
        tags.append(String(decoding: bytes[place...end], as: UTF8.self))
        place = end + 1
      } else if bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "\t")
        || bytes[place] == UInt8(ascii: ",")
      {
        place += 1
      } else {
        place = bytes[place...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
      }
    }
    let isAny = tags.isEmpty && field.filter { $0 != " " && $0 != "\t" } == "*"
    self = isAny ? .any : .listed(tags)
  }

  /// Returns the listed tag that equals a representation's tag by the weak comparison: it does not
  /// matter which of the two are weak (section 8.8.3.2). For `*` that is the representation's own.
  public func weakMatch(of tag: String) -> String? {
    switch self {
    case .any: tag
    case .listed(let tags):
      tags.first { Self.opaque($0) == Self.opaque(tag) || Self.opaque($0) == Self.packed(tag) }
    }
  }

  /// Returns whether a representation's tag is listed by the strong comparison, by which weak tags
  /// equal none (section 8.8.3.2); `true` for `*`.
  public func contains(strongly tag: String) -> Bool {
    switch self {
    case .any: true
    case .listed(let tags):
      !tag.hasPrefix("W/") && tags.contains { $0 == tag || $0 == Self.packed(tag) }
    }
  }

  /// Returns the tag of a representation's compressed form. It differs from a strong tag, since the
  /// bytes do (section 8.8.3.3); both name the same state.
  public static func packed(_ tag: String) -> String {
    tag.hasPrefix("W/") ? tag : "\(tag.dropLast())-gzip\""
  }

  /// Returns an entity tag without the mark of weak ones.
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}

extension ServiceRequest {
  /// Returns the entity tags of a header field; `nil` where there is none. Several fields of the
  /// name are one list (RFC 9110, section 5.3).
  public func entityTags(_ name: String) -> EntityTags? {
    let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : EntityTags(values.joined(separator: ","))
  }
}
