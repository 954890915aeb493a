import Encodings

/// A page of then-and-now pairs: a single HTML file with embedded pictures, each pair with a
/// slider.
///
/// The page loads nothing, contains no positions, and escapes the names of files and places.
package struct PairPage {
  /// A pair on the page.
  package struct Entry: Sendable {
    /// A photo of the pair.
    package struct Photo: Sendable {
      /// The local day of capture: `2008-10-22`.
      package let day: String
      /// The name of the file.
      package let name: String
      /// The picture, as a JPEG file.
      package let jpeg: [UInt8]
      /// The width of the picture in pixels.
      package let width: Int
      /// The height of the picture in pixels.
      package let height: Int

      /// Creates a photo.
      package init(day: String, name: String, jpeg: [UInt8], width: Int, height: Int) {
        (self.day, self.name, self.jpeg) = (day, name, jpeg)
        (self.width, self.height) = (width, height)
      }
    }

    /// The name of the place.
    package let title: String
    /// The earlier photo.
    package let earlier: Photo
    /// The later photo.
    package let later: Photo
    /// The years between the photos, as text: `16.4`.
    package let years: String
    /// Whether the later photo is a recreation of the earlier one.
    package let isRecreation: Bool
    /// The alignment of the two photos.
    package let verdict: PairVerdict

    /// Creates an entry.
    package init(
      title: String, earlier: Photo, later: Photo, years: String, isRecreation: Bool,
      verdict: PairVerdict
    ) {
      (self.title, self.earlier, self.later) = (title, earlier, later)
      (self.years, self.isRecreation, self.verdict) = (years, isRecreation, verdict)
    }
  }

  /// The beginning of every such page, as tokens.
  package static let signature = ["<!doctype html>", "<!-- photospots pairs -->"]

  private var parts: [[UInt8]] = []
  /// The number of pairs on the page.
  package private(set) var count = 0
  /// The size in bytes of the Base64-encoded pictures on the page.
  package private(set) var pictureBytes = 0

  /// Creates a page without pairs.
  package init() {}

  /// Appends a pair.
  package mutating func add(_ entry: Entry) {
    parts.append(Self.figure(entry))
    count += 1
    pictureBytes += (entry.earlier.jpeg.count + entry.later.jpeg.count) / 3 * 4
  }

  /// Returns the HTML file, which mentions the number of omitted pairs.
  package func bytes(omitted: Int) -> [UInt8] {
    let rest =
      omitted > 0
      ? "<p>\(omitted) more \(omitted == 1 ? "pair is" : "pairs are") not shown.</p>" : ""
    var bytes = Array(Self.beginning.utf8)
    for part in parts { bytes += part }
    return bytes + Array((rest + Self.ending).utf8)
  }

  private static func figure(_ entry: Entry) -> [UInt8] {
    let (earlier, later) = (entry.earlier, entry.later)
    let years = (earlier: String(earlier.day.prefix(4)), later: String(later.day.prefix(4)))
    let label = text("Reveal: \(years.earlier) left, \(years.later) right")
    let mark = entry.isRecreation ? "<b>taken again</b>" : ""
    return Array(
      """
      <figure>
      <div class="reveal" style="aspect-ratio:\(earlier.width)/\(earlier.height)">
      <img alt="\(text(earlier.day))" src="\(address(earlier.jpeg))">
      <div class="later"><img alt="\(text(later.day))" \
      style="transform:\(transform(entry))" src="\(address(later.jpeg))"></div>
      <i class="seam"></i><span class="left">\(text(years.earlier))</span>\
      <span class="right">\(text(years.later))</span>
      <input type="range" min="0" max="100" value="50" aria-label="\(label)">
      </div>
      <figcaption><h2>\(text(entry.title))</h2> \(text(entry.years)) years, \
      score \(entry.verdict.percent) \(mark)
      <small>\(text(earlier.day)) \(text(earlier.name))<br>\
      \(text(later.day)) \(text(later.name))</small></figcaption>
      </figure>

      """.utf8)
  }

  private static func text(_ text: String) -> String { XMLText.escaped(text) }

  private static func address(_ jpeg: [UInt8]) -> String {
    "data:image/jpeg;base64," + Base64.text(jpeg)
  }

  /// Returns the CSS transform that aligns the later picture, cropped to the shape of the earlier
  /// one, with the earlier one.
  private static func transform(_ entry: Entry) -> String {
    let (a, b, x, y) = entry.verdict.laterToEarlier
    let shape = Double(entry.earlier.width) / Double(entry.earlier.height)
    let numbers = [a, b, -b, a].map(number).joined(separator: ",")
    return "translate(\(number(100 * x))%,\(number(100 * y * shape))%) matrix(\(numbers),0,0)"
  }

  /// Returns a number rounded to five decimals; it must not be very large.
  private static func number(_ number: Double) -> String {
    "\(Double(Int(saturating: (number * 100_000).rounded())) / 100_000)"
  }

  private static let beginning = """
    <!doctype html>
    <!-- photospots pairs -->
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
    style-src 'unsafe-inline'; script-src 'unsafe-inline'">
    <title>Then and now</title>
    <style>
    body { margin: 0 auto; padding: 1rem; max-width: 62rem; font: 1rem/1.5 system-ui, sans-serif;
      color: #222; background: #fbfaf7 }
    figure { margin: 0 0 3rem }
    .reveal { position: relative; overflow: hidden; max-height: 85vh; margin: auto;
      background: #ddd; border-radius: .5rem }
    .reveal img, .later { position: absolute; inset: 0; width: 100%; height: 100%;
      object-fit: cover }
    .later { clip-path: inset(0 0 0 50%) }
    .seam { position: absolute; top: 0; bottom: 0; left: 50%; width: 2px; margin-left: -1px;
      background: #fff }
    .left, .right { position: absolute; top: .5rem; padding: 0 .5rem; border-radius: .25rem;
      color: #fff; background: #0009 }
    .left { left: .5rem }
    .right { right: .5rem }
    .reveal input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0;
      opacity: 0; cursor: ew-resize }
    .reveal:focus-within { outline: 3px solid #2b6cb0; outline-offset: 2px }
    h2 { display: inline; font-size: 1rem }
    small { display: block; color: #555; overflow-wrap: anywhere }
    @media (prefers-color-scheme: dark) {
      body { color: #eee; background: #181818 }
      small { color: #aaa }
    }
    </style>
    <h1>Then and now</h1>

    """

  private static let ending = """
    <script>
    for (const range of document.querySelectorAll(".reveal input")) {
      range.addEventListener("input", () => {
        range.parentNode.querySelector(".later").style.clipPath = `inset(0 0 0 ${range.value}%)`;
        range.parentNode.querySelector(".seam").style.left = `${range.value}%`;
      });
    }
    </script>
    </html>

    """
}
