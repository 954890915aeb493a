import Compression
import Encodings
import SystemPackage
import TestSupport
import Testing

@testable import GeoDocuments

/// A ZIP archive with forged fields.
struct ForgedZip {
  struct Entry {
    var name: [UInt8]
    var content: [UInt8]
    var method: UInt16 = 0
    var flags: UInt16 = 0
    var size: UInt32?
    var packedSize: UInt32?
    var checksum: UInt32?
    var offset: UInt32?
    var attributes: UInt32 = 0o100644 << 16
    var madeBy: UInt16 = 3 << 8
    var localName: [UInt8]?

    init(_ name: String, _ content: String = "x") {
      (self.name, self.content) = (Array(name.utf8), Array(content.utf8))
    }
  }

  var entries: [Entry]
  var count: UInt16?
  var directoryOffset: UInt32?

  var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      var sum = CRC32()
      sum.combine(entry.content)
      let offset = UInt32(file.count)
      var common: [UInt8] = []
      common.append(littleEndian: entry.flags)
      common.append(littleEndian: entry.method)
      common.append(littleEndian: UInt32(0))
      common.append(littleEndian: entry.checksum ?? sum.value)
      common.append(littleEndian: entry.packedSize ?? UInt32(entry.content.count))
      common.append(littleEndian: entry.size ?? UInt32(entry.content.count))
      file.append(littleEndian: ZipFormat.localHeader)
      file.append(littleEndian: UInt16(20))
      let localName = entry.localName ?? entry.name
      file += common + [UInt8(localName.count & 255), UInt8(localName.count >> 8), 0, 0]
      file += localName + entry.content
      directory.append(littleEndian: ZipFormat.centralHeader)
      directory.append(littleEndian: entry.madeBy | 20)
      directory.append(littleEndian: UInt16(20))
      directory += common + [UInt8(entry.name.count & 255), UInt8(entry.name.count >> 8)]
      directory += [UInt8](repeating: 0, count: 8)
      directory.append(littleEndian: entry.attributes)
      directory.append(littleEndian: entry.offset ?? offset)
      directory += entry.name
    }
    let start = file.count
    file += directory
    file.append(littleEndian: ZipFormat.end)
    file.append(littleEndian: UInt32(0))
    for _ in 0..<2 { file.append(littleEndian: count ?? UInt16(entries.count)) }
    file.append(littleEndian: UInt32(directory.count))
    file.append(littleEndian: directoryOffset ?? UInt32(start))
    return file + [0, 0]
  }

  /// The reason why the archive, or one of its entries, is rejected; `nil` for a valid one.
  var refusal: ZipError? {
    do throws(ZipError) {
      let archive = try ZipReader(bytes)
      for entry in archive.entries { _ = try archive.contents(of: entry, limit: 1 << 24) }
      return nil
    } catch { return error }
  }

  static func one(_ name: String = "a", _ change: (inout Entry) -> Void = { _ in }) -> ForgedZip {
    var entry = Entry(name)
    change(&entry)
    return ForgedZip(entries: [entry])
  }
}

@Suite struct ZipTests {
  @Test func `rejects names that lead out of the folder`() {
    for name in [
      "../a", "a/../../b", "/etc/passwd", "C:/x", "c:x", "a\\..\\b", "a//b", "./a", "a/./b", "..",
      "a\u{0}b", "a\nb", "",
    ] {
      #expect(ForgedZip.one(name).refusal == .unsafeName(name), "\(name.debugDescription)")
    }
    for name in ["a", "a/b.jpg", "..a/b..", "ä/漢.jpg", "photos/.x"] {
      #expect(ForgedZip.one(name).refusal == nil, "\(name)")
    }
  }

  @Test func `rejects links, devices, and encrypted or duplicate entries`() {
    #expect(ForgedZip.one { $0.attributes = 0o120777 << 16 }.refusal == .noRegularFile("a"))
    #expect(ForgedZip.one { $0.attributes = 0o020666 << 16 }.refusal == .noRegularFile("a"))
    #expect(ForgedZip.one { $0.flags = 1 }.refusal == .encrypted("a"))
    #expect(ForgedZip.one { $0.flags = 1 << 6 }.refusal == .encrypted("a"))
    #expect(ForgedZip.one { $0.method = 12 }.refusal == .unknownMethod("a"))
    #expect(
      ForgedZip(entries: [.init("a"), .init("b"), .init("a")]).refusal == .repeatedName("a"))
    // With other host systems these bits have no meaning.
    #expect(
      ForgedZip.one {
        $0.attributes = 0o120777 << 16
        $0.madeBy = 0
      }.refusal == nil)
  }

  @Test func `rejects wrong sizes, checksums, offsets and counts`() {
    #expect(ForgedZip.one { $0.checksum = 1 }.refusal == .corrupt("a"))
    #expect(
      ForgedZip.one { $0.size = 5 }.refusal == .damaged("the sizes of 'a' contradict each other"))
    #expect(
      ForgedZip.one {
        $0.size = 50
        $0.packedSize = 50
      }.refusal == .damaged("'a' lies outside of the file"))
    #expect(
      ForgedZip.one { $0.offset = 0xFFFF_FFF0 }.refusal == .damaged("'a' lies outside of the file"))
    #expect(ForgedZip.one { $0.localName = Array("b".utf8) }.refusal == .corrupt("a"))
    var doubled = ForgedZip(entries: [.init("a"), .init("b")])
    doubled.entries[1].offset = 0
    doubled.entries[1].localName = Array("b".utf8)
    #expect(
      doubled.refusal == .damaged("'b' overlaps 'a'")
        || doubled.refusal == .damaged("'a' overlaps 'b'"))
    var archive = ForgedZip.one()
    archive.count = 7
    #expect(archive.refusal == .damaged("it has fewer entries than it states"))
    archive.count = 0
    #expect(archive.refusal == .damaged("its size is wrong"))
    archive = .one()
    archive.directoryOffset = 0xFFFF_FF00
    #expect(archive.refusal == .damaged("it lies outside of the file"))
    #expect(throws: ZipError.noDirectory) { try ZipReader([]) }
    #expect(throws: ZipError.noDirectory) { try ZipReader(Array("PK\u{5}\u{6}".utf8)) }
  }

  @Test func `rejects a zip bomb by its declared size, or while unpacking`()
    throws
  {
    let zeros = [UInt8](repeating: 0, count: 1 << 24)
    var writer = ZipWriter()
    let bomb = writer.file("zeros", zeros) + writer.finish()
    #expect(bomb.count < 100_000)
    #expect(throws: ZipError.bomb("zeros")) { try ZipReader(bomb) }
    // The same with a forged, small size.
    var forged = ForgedZip.one("zeros")
    forged.entries[0].content = try #require(Deflate.packed(zeros, as: .raw, upTo: zeros.count))
    forged.entries[0].method = ZipFormat.deflated
    forged.entries[0].size = 1000
    forged.entries[0].checksum = 0
    #expect(forged.refusal == .corrupt("zeros"))
    // Many entries that are harmless one by one.
    var many = ZipWriter()
    let content = (0..<1000).flatMap { _ in [UInt8](repeating: 7, count: 10) }
    let bytes = (0..<20).flatMap { many.file("\($0)", content) } + many.finish()
    #expect(throws: ZipError.tooLarge("10")) { try ZipReader(bytes, totalLimit: 100_000 + 9_999) }
    #expect(try ZipReader(bytes, totalLimit: 200_000).entries.count == 20)
  }

  @Test func `a truncated or corrupt archive is read or rejected`() throws {
    var writer = ZipWriter()
    let sound =
      writer.file("a/b.txt", Array(repeating: 0x41, count: 500)) + writer.file("c", [1, 2, 3])
      + writer.finish()
    var generator = SeededGenerator(seed: 5)
    for length in 0..<sound.count {
      #expect(throws: ZipError.self) { try ZipReader(Array(sound[..<length])) }
      var changed = sound
      changed[length] = .random(in: 0...255, using: &generator)
      guard let archive = try? ZipReader(changed) else { continue }
      for entry in archive.entries {
        let content = try? archive.contents(of: entry, limit: 1000)
        #expect(content == nil || content?.count == entry.size)
      }
    }
  }

  private static let python = ChildProcess.path(of: "python3")

  private func archive() throws -> [UInt8] {
    var writer = ZipWriter()
    var bytes = writer.file("manifest.json", Array(repeating: 0x20, count: 5000))
    let content = Array("photo".utf8)
    var sum = CRC32()
    sum.combine(content)
    bytes += writer.begin("photos/ä b.jpg", size: 5, checksum: sum)
    for byte in content { writer.write([byte]) }
    bytes += content
    try writer.end()
    return bytes + writer.finish()
  }

  @Test func `archives are deterministic and round-trip`() throws {
    let bytes = try archive()
    #expect(try archive() == bytes)
    let reader = try ZipReader(bytes)
    #expect(reader.entries.map(\.name) == ["manifest.json", "photos/ä b.jpg"])
    #expect(
      try reader.entries.map { try reader.contents(of: $0, limit: 5000).count } == [5000, 5])
  }

  @Test(.enabled(if: python != nil, "python3 is not installed"))
  func `archives are read by Python`() throws {
    let python = try #require(Self.python)
    let folder = TemporaryFolder()
    try folder.write(try archive(), to: "a.zip")
    let process = try ChildProcess(
      python,
      [
        "-c",
        """
        import sys, zipfile
        archive = zipfile.ZipFile(sys.argv[1])
        assert archive.testzip() is None
        archive.extractall(sys.argv[2])
        """, folder.path("a.zip").string, folder.path("out").string,
      ])
    process.waitUntilExit()
    #expect(try folder.contents(of: folder.path("out/photos/ä b.jpg")) == Array("photo".utf8))
  }

  @Test func `content that differs from its declared size is rejected`() throws {
    var writer = ZipWriter()
    var sum = CRC32()
    sum.combine([1, 2, 3])
    _ = writer.begin("a", size: 3, checksum: sum)
    writer.write([1, 2])
    #expect(throws: ZipError.corrupt("a")) { try writer.end() }
  }

  @Test(.enabled(if: python != nil, "python3 is not installed"))
  func `archives of other programs are read, also with Zip64`() throws {
    let python = try #require(Self.python)
    let folder = TemporaryFolder()
    let process = try ChildProcess(
      python,
      [
        "-c",
        """
        import sys, zipfile
        with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
            archive.comment = b'a comment'
            archive.writestr('folder/', '')
            archive.writestr('folder/a.txt', 'a' * 3000)
            with archive.open('wide.txt', 'w', force_zip64=True) as file: file.write(b'wide')
        with zipfile.ZipFile(sys.argv[2], 'w') as archive:
            for number in range(66000): archive.writestr(str(number), '')
        """, folder.path("a.zip").string, folder.path("many.zip").string,
      ])
    process.waitUntilExit()
    let reader = try ZipReader(folder.contents(of: folder.path("a.zip")))
    #expect(reader.entries.map(\.name) == ["folder/a.txt", "wide.txt"])
    #expect(try reader.contents(of: reader.entries[0], limit: 3000).allSatisfy { $0 == 0x61 })
    #expect(try reader.contents(of: reader.entries[1], limit: 3000) == Array("wide".utf8))
    #expect(try ZipReader(folder.contents(of: folder.path("many.zip"))).entries.count == 66_000)
  }

  @Test func `an archive beyond 4 GiB has Zip64 sizes and offsets`() throws {
    // The contents are zeros that are not stored anywhere.
    let size = 5 << 30
    var writer = ZipWriter()
    var pieces: [(offset: Int, bytes: [UInt8])] = []
    var offset = 0
    func place(_ bytes: [UInt8]) {
      pieces.append((offset, bytes))
      offset += bytes.count
    }
    for name in ["a", "b"] {
      place(writer.begin(name, size: size, checksum: CRC32()))
      writer.pretend(count: size)
      offset += size
    }
    place(writer.finish())
    let (all, end) = (pieces, offset)
    let reader = try ZipReader(size: end) { range in
      var bytes = [UInt8](repeating: 0, count: range.count)
      for piece in all {
        let common = range.clamped(to: piece.offset..<(piece.offset + piece.bytes.count))
        for place in common { bytes[place - range.lowerBound] = piece.bytes[place - piece.offset] }
      }
      return bytes
    }
    #expect(reader.entries.map(\.size) == [size, size])
    #expect(reader.entries.map(\.offset) == [0, pieces[1].offset])
  }
}

@Suite struct PlaceArchiveTests {
  private static let photo = Array("a photo".utf8)

  /// An archive with a document and a photo.
  private func archive(
    _ change: (inout [PlaceArchive.File], inout [String: [UInt8]]) -> Void = { _, _ in }
  ) throws -> ZipReader {
    var contents = [
      "places.json": Array("{}".utf8), "photos/2019/a.jpg": Self.photo,
    ]
    var files = contents.sorted { $0.key > $1.key }.map { name, content in
      PlaceArchive.File(
        name: name, size: content.count, hash: SHA256.hash(content),
        path: name == "places.json" ? nil : Array("/home/me/2019/a.jpg".utf8))
    }
    change(&files, &contents)
    var writer = ZipWriter()
    var bytes = writer.file("manifest.json", PlaceArchive.manifest(files, missingPhotos: []))
    for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
      bytes += writer.file(name, content)
    }
    return try ZipReader(bytes + writer.finish())
  }

  private func refusal(
    _ change: (inout [PlaceArchive.File], inout [String: [UInt8]]) -> Void
  ) throws -> PlaceFileError? {
    let reader = try archive(change)
    do throws(PlaceFileError) {
      _ = try PlaceArchive(reader)?.verify()
      return nil
    } catch { return error }
  }

  @Test func `a valid archive is verified and its photos are unpacked`() throws {
    let archive = try #require(try PlaceArchive(try archive()))
    #expect(try archive.verify())
    #expect(archive.photos.map(\.relativePath) == [Array("2019/a.jpg".utf8)])
    #expect(archive.photos.map(\.path) == [Array("/home/me/2019/a.jpg".utf8)])
    var content: [UInt8] = []
    try archive.unpack(archive.photos[0]) { content += $0 }
    #expect(content == Self.photo)
    #expect(try archive.places() == Array("{}".utf8))
  }

  @Test func `a manifest that contradicts the contents is rejected`() throws {
    #expect(try refusal { _, _ in } == nil)
    #expect(
      try refusal { _, contents in contents["photos/2019/a.jpg"] = Array("b photo".utf8) }
        == .manifest("'photos/2019/a.jpg' is not the file that the manifest lists"))
    #expect(try refusal { files, _ in files[1].size = 3 } != nil)
    #expect(try refusal { files, _ in files[1].hash = "" } != nil)
    #expect(try refusal { files, _ in files.remove(at: 1) } != nil)
    #expect(try refusal { files, _ in files.append(files[1]) } != nil)
    #expect(try refusal { _, contents in contents["more"] = [1] } != nil)
    #expect(try refusal { files, _ in files.removeAll { $0.name == "places.json" } } != nil)
    #expect(try refusal { files, _ in files[1].path = Array("relative.jpg".utf8) } != nil)
    #expect(try refusal { files, _ in files[1].path = nil } != nil)
  }

  @Test func `rejects photos whose names decode to unsafe or hidden paths`() throws {
    // In NameText, U+EF2E and U+EF2F represent a dot and a slash.
    for name in [
      "photos/\u{EF2E}\u{EF2E}/a", "photos/\u{EF2F}etc", "photos/\u{EF2E}bashrc", "photos/.bashrc",
      "photos/a/.ssh/b", "other/a.jpg",
    ] {
      let refusal = try refusal { files, contents in
        contents[name] = contents.removeValue(forKey: "photos/2019/a.jpg")
        files[1].name = name
      }
      #expect(refusal == .manifest("'\(name)' is not a photo with a path"), "\(name)")
    }
  }

  @Test func `another program's archive is nil, and a newer version is an error`() throws {
    var writer = ZipWriter()
    let other = writer.file("manifest.json", Array(#"{"name":"app"}"#.utf8)) + writer.finish()
    #expect(try PlaceArchive(ZipReader(other)) == nil)
    writer = ZipWriter()
    let newer =
      writer.file("manifest.json", Array(#"{"format":"photospots-archive","version":9}"#.utf8))
      + writer.finish()
    #expect(throws: PlaceFileError.self) { try PlaceArchive(ZipReader(newer)) }
  }

  @Test func `photo names are unique, safe and relative to the common folder`() {
    func names(_ paths: [String]) -> [String] {
      PlaceArchive.names(of: paths.map { Array($0.utf8) })
    }
    #expect(
      names(["/p/2019/a.jpg", "/p/2019/b/c.jpg"]) == ["photos/a.jpg", "photos/b/c.jpg"])
    #expect(names(["/p/2019/a.jpg", "/q/a.jpg"]) == ["photos/p/2019/a.jpg", "photos/q/a.jpg"])
    #expect(names(["/p/.hidden/a.jpg", "/p/b.jpg"]) == ["photos/_.hidden/a.jpg", "photos/b.jpg"])
    #expect(names(["/p/x/../a", "/p/x/a"])[1] == "photos/a")
    #expect(names(["/only.jpg"]) == ["photos/only.jpg"] && names([]) == [])
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      let paths = Set(
        (0..<20).map { _ -> [UInt8] in
          let choices: [UInt8] = [0x2E, 0x2F, 0x2F, 0x5C, 0x5F, 0x41, 0x0A, 0xFF, 0xC3]
          let bytes = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            choices.randomElement(using: &generator) ?? 0x41
          }
          return [0x2F] + bytes
        })
      let names = PlaceArchive.names(of: Array(paths))
      #expect(Set(names).count == paths.count)
      #expect(names.allSatisfy { ZipName.isSafe($0.utf8) && $0.hasPrefix("photos/") })
    }
  }
}
