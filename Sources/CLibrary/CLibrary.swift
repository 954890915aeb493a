// The C library of the system, whatever its module is called there. The other files import
// CLibrary, so that this one alone knows the names.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif
