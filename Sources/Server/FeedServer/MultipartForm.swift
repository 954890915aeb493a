#if HTTPServer
  import Encodings

  /// A form in parts (`multipart/form-data`, RFC 7578), in which μlogger sends a position with a
  /// picture, and the Shortcuts of iOS every form.
  enum MultipartForm {
    /// The maximum number of parts that are read, and the maximum length of a value in bytes.
    private static let (maximumCount, maximumLength) = (64, 4096)

    /// Returns the boundary between the parts; `nil` for another type of content.
    static func boundary(ofType type: String) -> [UInt8]? {
      let fields = type.split(separator: ";").map { $0.trimming }
      guard fields.first?.lowercased() == "multipart/form-data",
        let field = fields.first(where: { $0.lowercased().hasPrefix("boundary=") })
      else { return nil }
      let value = field.dropFirst("boundary=".count).filter { $0 != "\"" }
      // RFC 2046, section 5.1.1.
      return (1...70).contains(value.utf8.count) ? Array(value.utf8) : nil
    }

    /// Returns the members of a form as a query. Files and longer values are left out.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the form.
    static func query(_ form: [UInt8], boundary: [UInt8]) -> [UInt8] {
      let mark = Array("--".utf8) + boundary
      var query: [UInt8] = []
      var rest = form[...]
      var count = 0
      while count < maximumCount, let start = rest.firstRange(of: mark) {
        rest = rest[start.upperBound...]
        let part = rest[..<(rest.firstRange(of: mark)?.lowerBound ?? rest.endIndex)]
        guard let (name, value) = member(part) else { continue }
        if !query.isEmpty { query.append(UInt8(ascii: "&")) }
        query += (escaped(name) + "=" + escaped(value)).utf8
        count += 1
      }
      return query
    }

    private static func escaped(_ bytes: ArraySlice<UInt8>) -> String {
      PercentEncoding.text(bytes, keeping: "-._~")
    }

    /// Returns the name and the value of a part; `nil` for a file and other parts.
    private static func member(
      _ part: ArraySlice<UInt8>
    ) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
      guard let end = part.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let head = part[..<end.lowerBound]
      guard head.count <= maximumLength, head.firstRange(of: Array("filename".utf8)) == nil,
        let start = head.firstRange(of: Array("name=\"".utf8))?.upperBound,
        let close = head[start...].firstIndex(of: UInt8(ascii: "\""))
      else { return nil }
      var value = part[end.upperBound...]
      if value.suffix(2).elementsEqual([0x0D, 0x0A]) { value = value.dropLast(2) }
      return value.count <= maximumLength ? (head[start..<close], value) : nil
    }
  }

  extension StringProtocol {
    /// The text without spaces at its ends.
    fileprivate var trimming: String {
      String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }
#endif
