// A program that creates a station also builds its configuration, so this module exports that
// module.
@_exported import StationConfiguration
