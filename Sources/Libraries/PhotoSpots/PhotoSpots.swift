// The commonly used modules, made available by one import. Each can also be imported on its own.
@_exported public import CivilTime
@_exported public import LocationFeeds
@_exported public import PhotoLibrary
@_exported public import PhotoMetadata
@_exported public import Spatial
@_exported public import SpotAlerts
@_exported public import SpotWatcher
// Paths and errors of the system, in the interfaces of the modules above.
@_exported public import SystemPackage
