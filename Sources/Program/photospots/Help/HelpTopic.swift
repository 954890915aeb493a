import LocationFeeds
import ProgramSettings
import TerminalOutput

/// A topic of `photospots help` that concerns several commands.
struct HelpTopic {
  /// A block of an explanation.
  enum Block {
    case text(String)
    /// Terms and their meanings.
    case terms([(name: String, meaning: String)])
    /// Literal lines, such as commands to type.
    case code([String])
  }

  let name: String
  let abstract: String
  let blocks: [Block]

  /// All topics, in the order in which they are listed.
  static var all: [HelpTopic] { [positions, settings, feeds, times, files, exitStatus] }

  private static let positions = HelpTopic(
    name: "positions", abstract: "Notations of positions, distances and times.",
    blocks: [
      .text("The latitude comes first. All of these are the same position:"),
      .code([
        "photospots near 48.8584 2.2945", "photospots near 48.8584,2.2945",
        "photospots near \"48°51'30.24\\\"N 2°17'40.2\\\"E\"",
        "photospots near \"N48 51.504 E2 17.67\"", "photospots near geo:48.8584,2.2945",
        "photospots near 'https://www.openstreetmap.org/#map=17/48.8584/2.2945'",
      ]),
      .text("Links of Google Maps and Apple Maps and full Plus codes are accepted too."),
      .text(
        """
        Negative numbers, for the south and the west, need no quotes: near -33.8568 151.2153. \
        Distances are in metres, or have a unit: 150, 150m, 1.5km. Durations have a unit: 90s, \
        15min, 24h, 7d, 2w, 2y, or are sums: 1h30min.
        """),
    ])

  private static var settings: HelpTopic {
    HelpTopic(
      name: "settings", abstract: "The settings, their sources and their defaults.",
      blocks: [
        .text(
          """
          A setting is taken from a flag, else from the environment, else from \
          \(Paths.displayed(Paths.settingsFile)), else its default applies. 'photospots config' \
          lists the settings in force.
          """),
        .code([
          "photospots watch --set dwell=30s gpsd://localhost",
          "PHOTOSPOTS_DWELL=30s photospots watch gpsd://localhost",
          "{ \"dwell\": \"30 s\", \"quietHours\": \"22:00-07:00\" }",
        ]),
        .terms(
          Setting.allCases.map { setting in
            // Non-breaking spaces keep a number and its unit on one line.
            let value = setting.defaultText.replacing(" ", with: "\u{A0}")
            return (setting.rawValue, "\(setting.summary) (default:\u{A0}\(value))")
          }),
        .text(
          """
          Addresses, tokens and passwords are read only from the environment, or from a settings \
          file that nobody else can read (chmod 600). An invalid setting stops only the commands \
          that use it.
          """),
      ])
  }

  private static let feeds = HelpTopic(
    name: "feeds", abstract: "Sources of positions, and their formats.",
    blocks: [
      .terms([
        ("-", "standard input, live"), ("FILE", "a recorded feed, or with --follow a growing file"),
        ("/dev/ttyUSB0?baud=4800", "a receiver at a serial port"),
        ("gpsd://host:2947", "a gpsd daemon"),
        ("nmea+tcp://host:10110", "a server of NMEA sentences"),
        ("udp://:5000", "datagrams with lines of any format"),
        ("http://127.0.0.1:8085", "apps that post positions, the same as --listen"),
        ("mqtt://host/topic", "an MQTT broker, in a build with the trait MQTT"),
      ]),
      .text(
        """
        The format is recognised from the content; --feed-format sets it: \(FeedFormat.names). In \
        a live feed, a position without a date gets its time of arrival; a replay skips it.
        """),
    ])

  private static let times = HelpTopic(
    name: "times", abstract: "Time zones in the output.",
    blocks: [
      .text(
        """
        Text shows times in the time zone of the machine, and names it once. Dates of photos \
        follow the camera's clock, so that a sunset in Japan keeps its day. JSON and the other \
        formats contain times in UTC; times of photos have the offset of the camera's clock where \
        it is known.
        """)
    ])

  private static var files: HelpTopic {
    HelpTopic(
      name: "files", abstract: "Locations of the index, the settings and the state.",
      blocks: [
        .terms([
          (Paths.displayed(Paths.index), "the index (or --index)"),
          (Paths.displayed(Paths.settingsFile), "the settings"),
          (Paths.displayed(Paths.state), "cooldowns, history, muted spots (or --state)"),
        ]),
        .text(
          """
          The variables XDG_CACHE_HOME, XDG_CONFIG_HOME and XDG_STATE_HOME change these folders. A \
          path that begins with ~/ is below the home folder, also where the shell leaves it as it \
          is: --state=~/x.
          """),
      ])
  }

  private static let exitStatus = HelpTopic(
    name: "exit-status", abstract: "Exit status of the commands.",
    blocks: [
      .terms([
        ("0", "done"),
        ("1", "failed, with the reason on standard error; of 'status': something does not work"),
        (
          "2",
          """
          done, but some files could not be read because of permissions or I/O errors, or feeds \
          and tracks because their compression is damaged. Malformed photos are counted and \
          listed, but do not change the status. Of 'status': there are warnings only
          """
        ),
        (
          "3",
          """
          a watch reached the end of its feed, and some notifications were not delivered; standard \
          error has the reasons
          """
        ), ("64", "wrong usage"),
      ]),
      .text("If the reader of the output exits early, as 'head' does, the status is 0."),
    ])

  /// Returns the explanation as lines of at most the given number of columns.
  func text(columns: Int) -> String {
    let blocks = blocks.map { block in
      switch block {
      case .text(let text): text.wrapped(to: columns) + "\n"
      case .code(let lines): lines.map { "  \($0)\n" }.joined()
      case .terms(let terms): Self.text(terms, columns)
      }
    }
    return blocks.joined(separator: "\n")
  }

  private static func text(_ terms: [(name: String, meaning: String)], _ columns: Int) -> String {
    let width = min(terms.map(\.name.count).max() ?? 0, 22)
    let isNarrow = 2 * (width + 4) > columns
    let indent = isNarrow ? 6 : width + 4
    return terms.map { term in
      let name = "  " + term.name
      // A name that exceeds the column gets its own line.
      let gap =
        isNarrow || term.name.count > width
        ? "\n" + String(repeating: " ", count: indent)
        : String(repeating: " ", count: indent - name.count)
      return name + gap + term.meaning.wrapped(to: columns, indent: indent) + "\n"
    }.joined()
  }
}
