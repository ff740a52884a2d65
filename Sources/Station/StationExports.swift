// A program that makes a station sets its configuration up, so that module comes with this one.
@_exported import StationConfiguration
