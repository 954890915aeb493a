package import PageServer
package import Storage
import SystemPackage

/// A state file as a list shows it: its owner, its permissions, and what keeps a program from using
/// it.
package struct StateFileLine {
  /// The owner and permissions; `nil` if there is no file, or if they cannot be read.
  package let ownership: Disk.Ownership?
  /// Whether the file exists; `nil` if that is unknown.
  package let exists: Bool?
  /// The reason why the file cannot be used; `nil` if it can, or does not exist yet.
  package let problem: String?

  /// Looks at a file.
  package init(_ file: StateFile) {
    var (ownership, exists): (Disk.Ownership?, Bool?) = (nil, nil)
    do throws(Errno) {
      ownership = try file.ownership()
      exists = ownership != nil
    } catch {}
    var problem: String?
    do { try file.check() } catch { problem = "\(error)" }
    (self.ownership, self.exists, self.problem) = (ownership, exists, problem)
  }

  /// The permissions in octal digits, such as `600`.
  package var mode: String? { ownership.map { String($0.mode, radix: 8) } }
}
