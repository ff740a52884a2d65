import Capture
import Platform

/// A camera as `retake cameras` shows it.
public struct CameraReport: Sendable, Encodable {
  /// The sizes and rates of one format of the camera.
  public struct Format: Sendable, Encodable {
    /// The format's four-character code, as in `MJPG`.
    public var format: String
    /// The driver's description of the format.
    public var text: String
    /// Whether Retake can make pictures of this format.
    public var isUsable: Bool
    /// The sizes with their rates, the largest first.
    public var sizes: [Size]
  }

  /// A size of a format with its rates.
  public struct Size: Sendable, Encodable {
    /// The size in pixels, as in `1280x720`.
    public var size: String
    /// The rates in frames per second, the fastest first.
    public var rates: [String]
  }

  /// A control of the camera.
  public struct Control: Sendable, Encodable {
    /// An entry of a menu control.
    public struct Item: Sendable, Encodable {
      /// The number of the entry.
      public var value: Int64
      /// The driver's name of the entry.
      public var name: String
    }

    /// The control's name in the configuration.
    public var name: String
    /// The control's names in other kernels, which the configuration accepts, too.
    public var otherNames: [String]
    /// The driver's description of the control.
    public var text: String
    /// The control's type: `integer`, `boolean`, `menu`, … .
    public var kind: String
    /// The least value.
    public var minimum: Int64
    /// The greatest value.
    public var maximum: Int64
    /// The distance between two neighboring values.
    public var step: UInt64
    /// The value after power-on.
    public var usual: Int64
    /// The present value, or `nil` when it cannot be read.
    public var value: Int64?
    /// The entries of a menu control.
    public var menu: [Item]
    /// Whether the control can only be read.
    public var isReadOnly: Bool
    /// Whether another control makes this one ineffective at present.
    public var isInactive: Bool
    /// The accepted values, in words.
    public var range: String
  }

  /// The mode that Retake would request.
  public struct Choice: Sendable, Encodable {
    /// The mode, as in `1280x720 MJPG at 30 fps`.
    public var mode: String
    /// The reason for the choice, in words.
    public var reason: String
  }

  /// The camera's name in the configuration, which stays the same when the camera is plugged in
  /// again.
  public var name: String
  /// The model's name.
  public var model: String
  /// The camera's present device node.
  public var path: String
  /// The camera's names under `/dev/v4l/by-id`.
  public var byId: [String]
  /// The camera's names under `/dev/v4l/by-path`, which depend on the port.
  public var byPath: [String]
  /// The nodes of other cameras with the same serial number.
  public var twins: [String]
  /// The names that this camera shares with its twins.
  public var ambiguousNames: [String]
  /// The driver's name.
  public var driver: String
  /// The bus position of the camera.
  public var bus: String
  /// The USB vendor and product, as in `1d6b:0102`, or `nil` on another bus.
  public var usb: String?
  /// The serial number, or `nil` when the camera has none.
  public var serial: String?
  /// The formats that the camera can send.
  public var formats: [Format] = []
  /// The controls of the camera.
  public var controls: [Control] = []
  /// The program that has the camera open, as far as this user may see.
  public var holder: String?
  /// The mode that Retake would request with the reason, or `nil` when no mode fits.
  public var choice: Choice?
  /// The reason for which Retake would use this camera, or `nil` when it would use another one.
  public var use: String?
  /// The reason for which the camera cannot be used now, or `nil` when it can.
  public var problem: String?
  /// The way to use the camera with libcamera's layer, or `nil` when it needs no layer.
  public var layer: String?

  init(_ identity: CameraIdentity) {
    name = identity.uniqueName
    byPath = identity.ports
    twins = identity.twins
    ambiguousNames =
      identity.twins.isEmpty
      ? []
      : [identity.key]
        + identity.links.flatMap { link in
          [link, String(link.split(separator: "/").last ?? "")]
        }
    model = identity.name
    path = identity.path
    byId = identity.links
    driver = identity.driver
    bus = identity.bus
    usb = identity.vendor.isEmpty ? nil : "\(identity.vendor):\(identity.product)"
    serial = identity.serial.isEmpty ? nil : identity.serial
  }
}

extension CameraReport.Format {
  init(_ offer: FormatOffer) {
    format = offer.format.description
    text = offer.text
    isUsable = ModeChoice.isUsable(offer.format)
    sizes = offer.sizes.sorted {
      ($0.size.width * $0.size.height, $0.size.width)
        > ($1.size.width * $1.size.height, $1.size.width)
    }.map { size in
      CameraReport.Size(
        size: size.size.description, rates: size.rates.sorted(by: >).map(\.description))
    }
  }
}

extension CameraReport.Control {
  init(_ control: CameraControl) {
    name = control.name
    otherNames = control.otherNames
    text = control.text
    kind = control.kind.rawValue
    minimum = control.minimum
    maximum = control.maximum
    step = control.step
    usual = control.usual
    value = control.value
    menu = control.items.map { Item(value: $0.value, name: $0.name) }
    isReadOnly = control.isReadOnly
    isInactive = control.isInactive
    range = control.range
  }
}
