#if HTTPServer
  /// A protocol of apps that expects a certain answer, recognised by the members of a query or
  /// form.
  ///
  /// An app that gets another answer to a message sends it again, and nothing else.
  enum AppProtocol: Hashable {
    /// μlogger (README, "Protocol"): an object, with the number of a new track.
    case uLogger(beginsTrack: Bool)
    /// Torque ("Web logging"): the text `OK!`.
    case torque

    /// Recognises the protocol of the parts of a request: its query and its body.
    ///
    /// - Parameter parts: The parts. Only the first kilobytes of each are examined.
    init?(_ parts: [[UInt8]]) {
      for part in parts {
        let pairs = part.prefix(Self.examinedLength).split(separator: UInt8(ascii: "&"))
        // Other text has no members.
        guard pairs.first?.contains(UInt8(ascii: "=")) == true else { continue }
        if let action = pairs.first(where: { $0.starts(with: Array("action=".utf8)) }) {
          self = .uLogger(beginsTrack: action.dropFirst(7).elementsEqual("addtrack".utf8))
          return
        }
        let names = Set(pairs.map { String(decoding: $0.prefix { $0 != 0x3D }, as: UTF8.self) })
        if names.isSuperset(of: ["v", "session", "id", "time"]) {
          self = .torque
          return
        }
      }
      return nil
    }

    private static let examinedLength = 16 << 10

    /// The body of the answer.
    var body: String {
      switch self {
      // All positions are of one track, since devices have trails and no tracks.
      case .uLogger(let beginsTrack):
        beginsTrack ? #"{"error":false,"trackid":1}"# : #"{"error":false}"#
      case .torque: "OK!"
      }
    }

    /// Whether the body is JSON.
    var isJSON: Bool { self != .torque }
  }
#endif
