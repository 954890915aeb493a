import Storage
package import SystemPackage

/// Returns the bytes of a file; none if it cannot be read.
package func readFile(_ path: FilePath) -> [UInt8] {
  (try? Disk.read(path, limit: 1 << 30)) ?? []
}

/// Replaces the bytes of a file.
package func writeFile(_ path: FilePath, _ bytes: some Sequence<UInt8>) throws {
  let file = try FileDescriptor.open(
    path, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
  _ = try file.closeAfter { try file.writeAll(bytes) }
}
