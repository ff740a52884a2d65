// The signatures of this module mention types of these modules, so one import suffices.
@_exported import Capture
@_exported import Imaging
@_exported import Media
@_exported import Platform
