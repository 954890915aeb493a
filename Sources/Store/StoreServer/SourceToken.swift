#if Postgres
  import Encodings
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
    /// - Throws: A `MessageError` if the file cannot be read or written, or has other contents.
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
        throw MessageError(
          "the file \(path.escaped), which identifies the index to stores, cannot be used: \(error)"
        )
      }
    }

    private func number(in document: [UInt8]) -> Int64? {
      do throws(JSONError) {
        let stored = try JSONObject(document: document)
        guard try stored.states(format: Self.format, version: Self.version) else { return nil }
        return try stored.string("token").flatMap { Int64($0) }
      } catch { return nil }
    }

    private func document(_ number: Int64) -> [UInt8] {
      JSONWriter.stateDocument(format: Self.format, version: Self.version) { writer in
        // A string, since many readers of JSON cannot represent all 64-bit integers.
        writer.member("token", "\(number)")
      }
    }
  }
#endif
