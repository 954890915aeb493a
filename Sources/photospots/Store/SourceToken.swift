#if Postgres
  import Interchange
  import PhotoLibrary
  import Storage
  import SystemPackage

  /// The random number that identifies an index to stores, in a file beside the index.
  struct SourceToken {
    private static let format = "photospots-source"
    private static let version: Int64 = 1
    private static let maximumSize = 4096

    private let index: FilePath

    /// Creates the token of an index; nothing is read or written yet.
    init(of cache: PhotoIndexCache) {
      index = cache.path
    }

    /// Returns the number, after creating the file if there is none.
    ///
    /// - Throws: A ``Failure`` if the file cannot be read or written, or has other contents.
    func value() throws -> Int64 {
      var path = index
      do throws(Errno) {
        path = Disk.sibling(of: try Disk.target(of: index), ".source")
        do throws(Errno) {
          guard let number = number(in: try Disk.read(path, limit: Self.maximumSize)) else {
            throw .foreignFile
          }
          return number
        } catch {
          guard error == .noSuchFileOrDirectory else { throw error }
        }
        let number = Int64.random(in: .min ... .max)
        try Disk.createFolder(path.removingLastComponent())
        _ = try Disk.replace(
          path, of: FileSignature(format: Self.format), with: document(number))
        return number
      } catch {
        throw Failure(
          "the file \(path.escaped), which identifies the index to stores, cannot be used: \(error)"
        )
      }
    }

    private func number(in document: [UInt8]) -> Int64? {
      var reader = JSONReader(document)
      var (format, version, text) = ("", Int64(0), "")
      do throws(JSONError) {
        try reader.beginObject()
        while let name = try reader.nextKey() {
          switch name {
          case "format": format = try reader.string()
          case "version": version = try reader.integer()
          case "token": text = try reader.string()
          default: try reader.skipValue()
          }
        }
        try reader.end()
      } catch { return nil }
      return format == Self.format && version == Self.version ? Int64(text) : nil
    }

    private func document(_ number: Int64) -> [UInt8] {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("format", Self.format)
        writer.member("version", Self.version)
        // A string, since many readers of JSON cannot represent all 64-bit integers.
        writer.member("token", "\(number)")
      }
      writer.newline()
      return writer.takeBytes()
    }
  }
#endif
