import Encodings
public import LocationFeeds

/// A reason why feeds cannot be read, or not together.
public enum FeedRunError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A recorded file was given together with live feeds; the file's label.
  case mixed(recorded: String)
  /// A followed file has a format that can only be read as a whole document.
  case cannotFollow(FeedFormat)
  /// A followed file is compressed, so that it does not grow by appending.
  case cannotFollowCompressed
  /// No line of a feed is in a known format.
  case unknownFormat
  /// The file has another known kind, such as an archive or a picture.
  case foreign(ForeignFeed)
  /// Some of several feeds could not be read to their ends; each was reported.
  case someFailed
  /// Recorded files could not be read to their ends; each was reported.
  case incomplete
  /// The program was built without the trait `MQTT`.
  case builtWithoutMQTT

  /// The formats of files that can be followed.
  private static let followed = FeedFormat.allCases.filter { !$0.isDocument }.map(\.rawValue)
    .joined(separator: ", ")

  /// A message that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .mixed(let label):
      """
      \(TerminalText.escaped(label.utf8)) is a recorded file, but other feeds are live; read it by \
      itself, or with --follow
      """
    case .cannotFollow(let format):
      """
      --follow cannot be used with \(format.rawValue), which is a whole document; remove --follow and \
      read the file when it is complete, or follow a feed of lines (\(Self.followed))
      """
    case .cannotFollowCompressed:
      """
      --follow cannot be used with a compressed file; remove --follow and read the file when it is \
      complete, or follow a feed of lines (\(Self.followed))
      """
    case .unknownFormat:
      "no line of the feed is in a known format (\(FeedFormat.names)). Is it a GPS feed?"
    case .foreign(let foreign): "no line of the feed is in a known format: \(foreign.advice)"
    case .someFailed: "some of the feeds could not be read completely"
    case .incomplete: "some of the files could not be read to their ends"
    case .builtWithoutMQTT:
      "this photospots was built without MQTT; build it with 'make install TRAITS=MQTT'"
    }
  }
}
