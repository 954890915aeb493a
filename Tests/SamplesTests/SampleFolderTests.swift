import SampleDrawing
import Testing

@Suite struct SampleFolderTests {
  @Test func `the samples have less than 600 kB`() throws {
    var total = 0
    for path in try SampleFiles.files(below: "photos") {
      total += try SampleFiles.bytes(of: "photos/" + path).count
    }
    total += try SampleFiles.bytes(of: "walk.nmea").count
    total += try SampleFiles.bytes(of: "walk.ndjson").count
    #expect(total < 600_000)
  }

  @Test(arguments: ["desktop-notification", "http-push", "log-to-file"])
  func `a hook is executable and documents its use`(name: String) throws {
    let path = "hooks/\(name).sh"
    #expect(SampleFiles.isExecutable(path))
    let text = try SampleFiles.text(of: path)
    #expect(text.hasPrefix("#!/bin/sh\n# "))
    #expect(text.contains("--hook Samples/hooks/\(name).sh"))
    #expect(text.contains("\nset -eu\n"))
  }

  @Test func `the README names every photo and every other file`() throws {
    let text = try SampleFiles.text(of: "README.md")
    for photo in SamplePhoto.all {
      let name = try #require(photo.path.split(separator: "/").last)
      #expect(text.contains("`\(name)`"), "\(photo.path)")
      #expect(text.contains(photo.title), "\(photo.path)")
    }
    for path in try SampleFiles.files(below: "hooks") + ["walk.nmea", "walk.ndjson"] {
      #expect(text.contains(path), "\(path)")
    }
  }
}
