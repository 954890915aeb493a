import CivilTime
public import Encodings

extension Phone {
  /// Writes the phone as an object, without its token and session.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("added", added.iso8601)
      writer.key("used")
      if let used { writer.string(used.iso8601) } else { writer.null() }
      writer.key("app")
      if let app { writer.string(app) } else { writer.null() }
    }
  }
  /// Writes a new phone as an object, with the token of its reports.
  func write(withToken token: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("token", token)
    }
  }
}
