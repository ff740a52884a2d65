extension ImagePickerController {
  /// The source of the pictures.
  public enum SourceType: Int, Sendable, CaseIterable {
    /// Every album under the library's roots.
    case photoLibrary = 0
    /// The live camera.
    case camera = 1
    /// The album that this station saves to.
    case savedPhotosAlbum = 2
  }

  /// A kind of medium that can be picked; the raw values are uniform type identifiers.
  public enum MediaType: String, Sendable, CaseIterable {
    /// A still picture.
    case image = "public.image"
    /// A movie.
    case movie = "public.movie"
  }

  /// A resource that a station needs access to.
  public enum Resource: Sendable, CaseIterable {
    /// The video device.
    case camera
    /// The directories of photos.
    case library
    /// The GPIO lines and keys of the buttons, and the GPIO lines of the lamps.
    case buttons
  }

  /// Whether the station has permission to use a resource, which says nothing about whether the
  /// resource is present.
  public enum AuthorizationStatus: Int, Sendable, CaseIterable, Codable {
    /// Nothing has been opened or probed yet.
    case notDetermined = 0
    /// Switched off, read-only, or hidden by the sandbox.
    case restricted
    /// The system refuses the station's user access.
    case denied
    /// The station may use the resource.
    case authorized
    /// The station may use only the named albums of the library.
    case limited

    /// Creates the status with a raw value that may come from another version; an unknown value
    /// becomes `notDetermined`, so that the station probes again and never assumes a permission.
    public init(surviving rawValue: Int) {
      self = Self(rawValue: rawValue) ?? .notDetermined
    }

    /// Decodes a raw value; an unknown value becomes `notDetermined`.
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

  /// The kind of medium that the shutter button takes.
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

  /// A camera, identified by its name in the configuration.
  public struct CameraDevice: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public var rawValue: String

    /// Creates a reference to the camera with that name; presenting the picker checks that the
    /// camera exists.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a reference to the camera with that name.
    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    /// The camera named `front` in the configuration; the name has no special meaning.
    public static let front: CameraDevice = "front"
    /// The camera named `rear` in the configuration; the name has no special meaning.
    public static let rear: CameraDevice = "rear"
  }

  /// The keys of the info dictionary that a delegate receives for one picked medium.
  public enum InfoKey: String, Sendable, CaseIterable {
    /// `String`: the identifier, as in `MediaType`.
    case mediaType
    /// `StillImage`: the picture as taken or stored.
    case originalImage
    /// `StillImage`: the picture as cropped and turned.
    case editedImage
    /// `PixelRect`: the crop rectangle, in the original's pixels.
    case cropRect
    /// `URL`: the photo's file, already synced to the disk.
    case imageURL
    /// `URL`: the movie's file, already synced to the disk.
    case mediaURL
    /// `[String: any Sendable]`: the known properties of the exposure.
    case mediaMetadata
  }
}
