// The picker's public interface uses these two types, so a program need not import Media.
@_exported import struct Media.PixelRect
@_exported import struct Media.PixelSize
