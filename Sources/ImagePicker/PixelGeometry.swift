// The picker's contract mentions these two values, so a program needs no import of Media.
@_exported import struct Media.PixelRect
@_exported import struct Media.PixelSize
