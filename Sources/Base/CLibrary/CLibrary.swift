// Re-exports the system's C library, whose module name depends on the platform. Other files import
// CLibrary, so only this file names the platform modules.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif
