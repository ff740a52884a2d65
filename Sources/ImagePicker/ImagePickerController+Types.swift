extension ImagePickerController {
  /// Where pictures come from.
  public enum SourceType: Int, Sendable, CaseIterable {
    /// Every album under the library's roots.
    case photoLibrary = 0
    /// The live camera.
    case camera = 1
    /// The album that this station saves to.
    case savedPhotosAlbum = 2
  }

  /// What can be picked; the raw values are uniform type identifiers.
  public enum MediaType: String, Sendable, CaseIterable {
    /// A still picture.
    case image = "public.image"
    /// A movie.
    case movie = "public.movie"
  }

  /// What a station needs access to.
  public enum Resource: Sendable, CaseIterable {
    /// The video device.
    case camera
    /// The directories of photos.
    case library
    /// The lines and keys, and the lamps with them.
    case buttons
  }

  /// Whether a station may use a resource; whether it is there at all is availability.
  public enum AuthorizationStatus: Int, Sendable, CaseIterable, Codable {
    /// Nothing has been opened or probed yet.
    case notDetermined = 0
    /// Switched off, read-only, or hidden by the sandbox.
    case restricted
    /// The system refuses it to the station's user.
    case denied
    /// It works.
    case authorized
    /// Of a library: only the named albums.
    case limited

    /// Reads a raw value that may come from another version; one that is not known here is
    /// `notDetermined`, so that it is probed again and never taken for a permission.
    public init(surviving rawValue: Int) {
      self = Self(rawValue: rawValue) ?? .notDetermined
    }

    /// Reads a raw value; one that is not known here is `notDetermined`.
    public init(from decoder: any Decoder) throws {
      self.init(surviving: try decoder.singleValueContainer().decode(Int.self))
    }
  }

  /// Whether the lamp is lit around the exposure.
  public enum CameraFlashMode: Int, Sendable, CaseIterable {
    /// Never.
    case off = -1
    /// As the configuration says.
    case auto
    /// Always.
    case on
  }

  /// What the shutter takes.
  public enum CameraCaptureMode: Int, Sendable, CaseIterable {
    /// A still picture.
    case photo
    /// A movie.
    case video
  }

  /// How a picker appears.
  public enum PresentationStyle: Sendable, CaseIterable {
    /// The kiosk page.
    case fullScreen
    /// A dialog over the gallery or another page.
    case sheet
    /// A small dialog over the gallery or another page.
    case popover
    /// Buttons and lamps only.
    case headless
  }

  /// A camera by its name in the configuration.
  public struct CameraDevice: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public var rawValue: String

    /// Makes the device of that name; whether there is one is asked when presented.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Makes the device of that name.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The camera named `front`; a name like others.
    public static let front: CameraDevice = "front"
    /// The camera named `rear`; a name like others.
    public static let rear: CameraDevice = "rear"
  }

  /// The keys of what a delegate is told about one picked medium.
  public enum InfoKey: String, Sendable, CaseIterable {
    /// `String`: the identifier, as in `MediaType`.
    case mediaType
    /// `StillImage`: the picture as taken or stored.
    case originalImage
    /// `StillImage`: the picture as cropped and turned.
    case editedImage
    /// `PixelRect`: what was cropped, in the original's pixels.
    case cropRect
    /// `URL`: the photo's file, durable.
    case imageURL
    /// `URL`: the movie's file, durable.
    case mediaURL
    /// `[String: any Sendable]`: what is known about the exposure.
    case mediaMetadata
  }
}
