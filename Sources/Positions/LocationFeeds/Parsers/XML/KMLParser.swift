import Encodings

/// Reads the tracks and lines of KML 2.2 and 2.3.
///
/// The *n*-th `when` of a `Track` (Google's `gx:Track`) belongs to its *n*-th `coord`; an empty
/// `coord` is a moment without a position (KML 2.3, section 16.17). Where they alternate, a `coord`
/// belongs to the `when` before it. Where both are listed and a `coord` is missing, no position has
/// a known time. A track's arrays of accuracies, speeds and bearings are recognised by the names
/// that OpenTracks gives them. The positions of a `LineString` are fixes without a time, even if
/// the line as a whole has one, since the time of each position is unknown. Points with a time and
/// values of a device are fixes in a document without a `Track`, whose points mark places on it.
/// Other points, polygons and pictures are places and are skipped; a document of nothing but points
/// with times is a fault.
struct KMLParser: XMLTrackParser {
  /// The open placemark.
  private var placemark: KMLPlacemark?
  private var placemarkDepth = 0
  private var pointDepth: Int?
  /// The name of the open value of extended data.
  private var dataName: String?
  /// The points with a time, until it is known whether the document has a track.
  private var points: [KMLPlacemark] = []
  private var hasTrack = false
  /// Whether points were found that have a time and yet are not reports of a device.
  private var hasTimedPlaces = false

  /// The maximum number of points that are held. Beyond it, a later track is not waited for.
  private static let maximumHeldCount = 100_000

  private var track: Track?
  private var trackDepth = 0
  private var lineDepth: Int?
  private var text = ""
  private var wanted: Wanted?

  /// The kind of the open element whose text is collected.
  private enum Wanted {
    case when, coord, line, time, point
    case value(Track.Series)
    case data(String)
  }

  /// The greatest length in bytes of a text other than a line; no time, number or position is
  /// longer.
  private static let maximumTextLength = 1024

  init() {}

  mutating func finish(into output: inout DocumentOutput) {
    if case .line = wanted { appendLine(isCutOff: true, to: &output) }
    track?.append(isCutOff: true, to: &output)
    track = nil
    appendPoints(to: &output)
  }

  /// Appends the held points as fixes, unless the document has a track.
  private mutating func appendPoints(to output: inout DocumentOutput) {
    defer { points = [] }
    guard !hasTrack else { return }
    if points.isEmpty, hasTimedPlaces, output.record == 0 { output.add(.onlyPlaces) }
    for point in points {
      do throws(LineFault) {
        if let fix = try point.fix() {
          output.fixes.append(fix)
        } else {
          output.ends.add(.withoutPosition)
        }
        output.count()
      } catch { output.count(error) }
    }
  }

  mutating func begin(_ name: String, _ attributes: [XMLAttribute], depth: Int) {
    text = ""
    wanted = nil
    switch name {
    case "Placemark":
      placemark = KMLPlacemark()
      placemarkDepth = depth
    case "Point": pointDepth = depth
    case "Track":
      track = Track()
      trackDepth = depth
      hasTrack = true
    case "LineString": lineDepth = depth
    case "coordinates":
      if lineDepth == depth - 1 {
        wanted = .line
      } else if pointDepth == depth - 1, placemark != nil {
        wanted = .point
      }
    case "when": wanted = track != nil ? .when : placemark != nil ? .time : nil
    case "Data", "SimpleData":
      dataName = attributes.first { $0.name.local == "name" }?.value
      if name == "SimpleData" { wanted = dataName.map(Wanted.data) }
    case "coord": if track != nil { wanted = .coord }
    case "SimpleArrayData":
      let title = attributes.first { $0.name.local == "name" }?.value ?? ""
      track?.openSeries = Track.Series(title: title)
    case "value":
      wanted = track?.openSeries.map(Wanted.value)
      if wanted == nil, placemark != nil { wanted = dataName.map(Wanted.data) }
    default: break
    }
  }

  mutating func append(_ part: String, into output: inout DocumentOutput) {
    guard let wanted else { return }
    if case .line = wanted {
      text += part
      // An XML comment splits the text of a long line; the complete positions before it need not be
      // held.
      appendLine(isCutOff: true, to: &output)
    } else if text.utf8.count + part.utf8.count <= Self.maximumTextLength {
      text += part
    }
  }

  mutating func end(depth: Int, into output: inout DocumentOutput) {
    switch wanted {
    case .when: track?.add(when: text)
    case .coord: track?.add(coord: text)
    case .value(let series): track?.add(value: text, to: series)
    case .line: appendLine(isCutOff: false, to: &output)
    case .time: placemark?.add(when: text)
    case .point: placemark?.add(point: text)
    case .data(let name): placemark?.add(name, value: text)
    case nil: break
    }
    wanted = nil
    text = ""
    if track != nil, trackDepth == depth {
      track?.append(isCutOff: false, to: &output)
      track = nil
    }
    if lineDepth == depth { lineDepth = nil }
    if pointDepth == depth { pointDepth = nil }
    if placemarkDepth == depth, let placemark {
      if placemark.isReport, !hasTrack { points.append(placemark) }
      if placemark.isTimed, !placemark.isReport { hasTimedPlaces = true }
      self.placemark = nil
      dataName = nil
      if points.count >= Self.maximumHeldCount { appendPoints(to: &output) }
    }
    if depth == 1 { appendPoints(to: &output) }
  }

  /// Appends the positions of a line: `longitude,latitude[,altitude]`, separated by white space.
  ///
  /// - Parameters:
  ///   - isCutOff: Whether the last position may continue; if so, it is kept in `text`.
  ///   - output: Receives the positions.
  private mutating func appendLine(isCutOff: Bool, to output: inout DocumentOutput) {
    let bytes = Array(text.utf8)
    let end = isCutOff ? bytes.lastIndex { $0.isSpace } ?? 0 : bytes.count
    for tuple in bytes[..<end].split(whereSeparator: \.isSpace) {
      let fields = tuple.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      output.append(GeoJSONPosition(fields))
    }
    let rest = bytes[end...]
    text = rest.count <= Self.maximumTextLength ? String(decoding: rest, as: UTF8.self) : ""
  }
}

/// The times and positions of a track, collected until its end, where they are matched.
private struct Track: Sendable {
  /// The greatest number of moments, one per second for eleven days; any beyond it are a fault.
  private static let maximumCount = 1_000_000

  /// An array of values that is read, identified by its title.
  struct Series {
    fileprivate let column: ReportMember.Column

    init?(title: String) {
      guard let column = ReportMember.Column(name: title.utf8),
        [.speed, .accuracy, .course].contains(column.member)
      else { return nil }
      self.column = column
    }
  }

  /// The array that is being read.
  var openSeries: Series?
  private var times: [ReportedTime] = []
  /// The positions, `nil` for a moment without one, with the numbers of their times.
  private var positions: [(position: GeoJSONPosition?, time: Int?)] = []
  private var speeds: [Double?] = []
  private var accuracies: [Double?] = []
  private var bearings: [Double?] = []
  /// Whether each position follows its time; `nil` before the first one.
  private var alternates: Bool?
  private var lastTime: Int?
  private var unreadable = 0
  private var isTooLong = false

  init() {}

  mutating func add(when text: String) {
    Self.add(ReportedTime(text: text), to: &times, &isTooLong)
  }

  mutating func add(coord text: String) {
    let fields = Array(text.utf8).split(whereSeparator: \.isSpace)
    let position = GeoJSONPosition(fields)
    if position == nil, !fields.isEmpty { unreadable += 1 }
    let alternates = alternates ?? (times.count == 1)
    self.alternates = alternates
    let latest = alternates ? times.count - 1 : positions.count
    // A position after another without a time between them has none.
    let time = alternates && latest == lastTime ? nil : latest
    lastTime = latest
    Self.add((position, time), to: &positions, &isTooLong)
  }

  mutating func add(value text: String, to series: Series) {
    let value = Double(pointOrComma: Array(text.utf8)[...]).map(series.column.scaled)
    switch series.column.member {
    case .speed: Self.add(value, to: &speeds, &isTooLong)
    case .accuracy: Self.add(value, to: &accuracies, &isTooLong)
    default: Self.add(value, to: &bearings, &isTooLong)
    }
  }

  private static func add<Value>(_ value: Value, to list: inout [Value], _ isTooLong: inout Bool) {
    if list.count < maximumCount { list.append(value) } else { isTooLong = true }
  }

  /// Appends the positions with their times.
  ///
  /// - Parameters:
  ///   - isCutOff: Whether the document ends within the track, so that positions are missing at its
  ///     end.
  ///   - output: Receives the positions.
  func append(isCutOff: Bool, to output: inout DocumentOutput) {
    let areMatched =
      alternates == true || isCutOff || isTooLong || positions.count == times.count
    for (position, time) in positions {
      guard let position else { continue }
      var report = PositionReport()
      let index = areMatched ? time : nil
      report.time = times.element(at: index) ?? .missing
      report.latitude = position.latitude
      report.longitude = position.longitude
      report.altitude = position.altitude
      report.speed = speeds.element(at: index) ?? nil
      report.accuracy = accuracies.element(at: index) ?? nil
      report.course = bearings.element(at: index) ?? nil
      do throws(LineFault) {
        output.fixes.append(try report.fix())
        output.count()
      } catch {
        output.count(error)
      }
    }
    for _ in 0..<unreadable { output.count(.unreadableMember("coord")) }
    if isTooLong { output.add(.recordTooLong) }
  }
}

extension Array {
  fileprivate func element(at index: Int?) -> Element? {
    index.flatMap { $0 < count ? self[$0] : nil }
  }
}

extension GeoJSONPosition {
  /// Reads the fields of a tuple, longitude first; returns `nil` where they are not a position.
  init?(_ fields: [ArraySlice<UInt8>]) {
    guard fields.count >= 2, let longitude = Double(decimal: fields[0]),
      let latitude = Double(decimal: fields[1])
    else { return nil }
    self.init(
      latitude: latitude, longitude: longitude,
      altitude: fields.count > 2 ? Double(decimal: fields[2]) : nil)
  }
}

extension DocumentOutput {
  /// Appends a position of a line; `nil` is counted as unreadable.
  fileprivate mutating func append(_ position: GeoJSONPosition?) {
    guard let position else { return count(.unreadableMember("coordinates")) }
    fixes.append(
      LocationFix(
        time: nil, latitude: position.latitude, longitude: position.longitude,
        altitudeMeters: position.altitude))
    count()
  }
}
