import CLibrary
import SystemPackage
import TestSupport

/// Returns whether this process may mount file systems of a type.
func mayMount(_ type: String) -> Bool {
  let folder = TemporaryFolder()
  let place = folder.root.string
  let isMounted = mount(type, place, type, 0, nil) == 0
  if isMounted { umount(place) }
  withExtendedLifetime(folder) {}
  return isMounted
}
