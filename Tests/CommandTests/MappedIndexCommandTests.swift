import SystemPackage
import TestSupport
import Testing

@testable import photospots

/// The file beside the index is a matter of speed: without it the answers are the same.
@Suite struct MappedIndexCommandTests {
  let folder = TemporaryFolder()
  let photospots: PhotoSpotsProcess
  private var mapped: FilePath { folder.path("index.json.mapped") }

  init() async throws {
    photospots = PhotoSpotsProcess(home: folder.root)
    let index = folder.path("index.json").string
    _ = try await photospots.run(
      "index", samples.appending("photos").string, "--index", index)
  }

  private func near() async throws -> (output: String, errors: String) {
    let result = try await photospots.run(
      "near", "48.8584", "2.2945", "--radius", "5km", "--photos", "--format", "json", "--index",
      folder.path("index.json").string)
    #expect(result.code == 0)
    return (result.output, result.errors)
  }

  @Test func `without it, or with a damaged one, the answer is the same`() async throws {
    let whole = try folder.contents(of: mapped)
    let answer = try await near()
    #expect(answer.errors.isEmpty && !answer.output.isEmpty)
    folder.remove(mapped)
    #expect(try await near() == answer)
    #expect(try folder.contents(of: mapped) == whole)
    try folder.write(whole[..<(whole.count / 2)], to: mapped)
    #expect(try await near() == answer)
    #expect(try folder.contents(of: mapped) == whole)
  }

  @Test func `a scan that finds nothing new mends one whose numbers are damaged`() async throws {
    let whole = try folder.contents(of: mapped)
    var damaged = whole
    damaged[whole.count - 200] ^= 0x55
    try folder.write(damaged, to: mapped)
    _ = try await photospots.run("index", "--index", folder.path("index.json").string)
    #expect(try folder.contents(of: mapped) == whole)
  }

  @Test func `where it cannot be written, that is told and the answer is the same`() async throws {
    let answer = try await near()
    folder.remove(mapped)
    try folder.createFolder(mapped)
    let slow = try await near()
    #expect(slow.output == answer.output)
    #expect(slow.errors.contains("index.json.mapped"))
    #expect(slow.errors.split(separator: "\n").count == 1)
  }
}
