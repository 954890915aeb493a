import ArgumentParser
import Encodings
import PageServer
import PhotoLibrary
import Pictures
import ProgramSettings
import SpotAlerts
import Storage
import SystemPackage
import TerminalOutput
import ThenAndNow

/// The command `photospots share`.
struct ShareCommand: PhotoSpotsSubcommand {
  /// The format of the picture.
  enum Shape: String, ExpressibleByArgument, CaseIterable {
    case landscape, portrait
  }

  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Combine two photos of a place, then and now, in one picture.",
    discussion: """
      For a spot, the earliest and the latest photo are used. Two photos are given by their paths \
      or by their ids on the page, separated by a comma or a space: share 1994.jpg 2024.jpg. A \
      name without folders that is no file here is looked up among the indexed photos. JPEG and \
      RAW photos are supported; the picture is a JPEG file without metadata, or with --animated a \
      GIF file.
      """)

  @Argument(
    help: ArgumentHelp("A spot, or two photos.", valueName: "spot or pair"),
    completion: Completions.spots)
  var named: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
    completion: .file())
  var file: String

  @Option(
    help: """
      1200 × 630 pixels with the photos side by side, or 1080 × 1350 with one above the other \
      (default: the shape that shows more of them).
      """)
  var shape: Shape?

  @Flag(help: "Make an animated slider instead: a GIF file of at most 1.5 MB.")
  var animated = false

  @Flag(help: "Write the position into the file, where all recipients can read it.")
  var withPosition = false

  @Option(help: "The text below the photos (default: the place and the years).")
  var text: String?

  @Flag(help: "Write no text on the picture.")
  var noText = false

  @Flag(help: "Replace an existing file, unless it is a photo.")
  var force = false

  @OptionGroup var index: IndexArguments
  @OptionGroup var settings: SettingsArguments
  @OptionGroup var output: OutputArguments

  func validate() throws {
    guard (1...2).contains(named.count) else {
      throw ValidationError("name a spot, or two photos")
    }
    if text != nil, noText { throw ValidationError("--text and --no-text cannot be used together") }
    if animated, withPosition {
      throw ValidationError(
        "--with-position and --animated cannot be used together: GIF files have no position")
    }
    if file == "-", StandardOutput.isTerminal {
      throw ValidationError("-o - would write a picture to the terminal; redirect it to a file")
    }
    try checkEnding()
  }

  /// The endings of formats of pictures and films.
  private static let otherEndings: Set<String> = [
    "apng", "avif", "bmp", "gif", "heic", "heif", "jpeg", "jpg", "jxl", "mov", "mp4", "pdf", "png",
    "psd", "svg", "tif", "tiff", "webm", "webp",
  ]

  /// Checks that the name of the file to write does not promise another format.
  private func checkEnding() throws {
    try Paths.checkIsNamed(file, as: "--output")
    guard file != "-", let ending = Paths.absolute(file).extension else { return }
    let endings = animated ? ["gif"] : ["jpg", "jpeg"]
    guard !endings.contains(ending.lowercased()), Self.otherEndings.contains(ending.lowercased())
    else { return }
    let written =
      animated
      ? "with --animated the file is a GIF file: its name ends in .gif"
      : "the file is a JPEG file: its name ends in .jpg or .jpeg"
    throw ValidationError("-o \(file.escaped): \(written), or has no ending")
  }

  func run() throws {
    let settings = try settings.resolve()
    let pair = try SharedPair(named, index, clusterRadius: settings.clusterRadiusMeters)
    try checkOutput(pair)
    let language = try settings.alerts.language
    let years = language.years(pair.earlier.year, pair.later.year)
    if let text, !DiptychCaption.isDrawable(text) {
      StandardError.note(
        "the text is not drawn, since only Latin, Greek and Cyrillic letters are supported; the years are drawn"
      )
    }
    let labelled = { (photo: SharedPhoto) in
      DiptychOrder.Photo(files: photo.files, label: noText ? nil : photo.year.map { "\($0)" })
    }
    var order = DiptychOrder(earlier: labelled(pair.earlier), later: labelled(pair.later))
    if !noText {
      order.caption =
        text.map { DiptychCaption(text: $0, years: years) }
        ?? DiptychCaption(places: pair.places, years: years)
    }
    order.shape = shape.flatMap { Diptych.Shape(rawValue: $0.rawValue) }
    order.isAnimated = animated
    var picture = try make(order, pair)
    if withPosition { picture = try placed(picture, pair) }
    try write(picture)
  }

  /// Refuses to replace a photo: one of the two, also through a link, or another file with a
  /// capture time, which pictures of this command do not have.
  private func checkOutput(_ pair: SharedPair) throws {
    guard file != "-" else { return }
    let path = Paths.absolute(file)
    let existing = Disk.generation(of: path)
    guard case .present = existing else { return }
    let files = pair.earlier.files + pair.later.files
    guard
      files.contains(where: { Disk.generation(of: $0.path) == existing })
        || (try? SharedPhoto(reading: path))?.captured != nil
    else { return }
    throw MessageError(
      "\(path.escaped) is a photo, and photos are never replaced; name another file")
  }

  private func make(_ order: DiptychOrder, _ pair: SharedPair) throws -> [UInt8] {
    do throws(DiptychError) {
      return try DiptychMaking.picture(order).bytes
    } catch {
      throw (error.side == .earlier ? pair.earlier : pair.later).failure(error.cause)
    }
  }

  private func placed(_ jpeg: [UInt8], _ pair: SharedPair) throws -> [UInt8] {
    guard let position = pair.earlier.coordinate ?? pair.later.coordinate else {
      throw MessageError("neither photo has a position; remove --with-position")
    }
    guard let placed = SharedPosition.file(jpeg, at: position) else {
      throw MessageError("there is not enough memory for the position")
    }
    return placed
  }

  private func write(_ picture: [UInt8]) throws {
    guard file != "-" else { return try StandardOutput.write(file: picture) }
    let path = Paths.absolute(file)
    do throws(Errno) {
      let uncertainty =
        force
        ? try Disk.replace(path, of: .any, with: picture, access: .umask)
        : try Disk.create(path, with: picture, by: Disk.sibling(of: path, ".photospots-new"))
      if let uncertainty {
        StandardError.writeLine(
          "photospots: \(path.escaped) is written, but may not survive a crash: \(uncertainty)")
      }
    } catch {
      guard error == .fileExists else { throw MessageError("\(path.escaped): \(error)") }
      throw MessageError("\(path.escaped) exists; --force replaces it")
    }
  }
}
