import Capture
import Platform

/// One camera as `retake cameras` shows it.
public struct CameraReport: Sendable, Encodable {
  /// What it can send in one format.
  public struct Format: Sendable, Encodable {
    /// Four characters: `MJPG`.
    public var format: String
    /// The driver's words for it.
    public var text: String
    /// Whether pictures can be made of it.
    public var isUsable: Bool
    /// Sizes with their rates, the largest first.
    public var sizes: [Size]
  }

  /// One size of a format.
  public struct Size: Sendable, Encodable {
    /// `1280x720`.
    public var size: String
    /// Frames a second, the fastest first.
    public var rates: [String]
  }

  /// One thing that can be set.
  public struct Control: Sendable, Encodable {
    /// An entry of a menu.
    public struct Item: Sendable, Encodable {
      /// Its number.
      public var value: Int64
      /// The driver's name for it.
      public var name: String
    }

    /// What to write in the configuration.
    public var name: String
    /// What other kernels call it; these work, too.
    public var otherNames: [String]
    /// The driver's words for it.
    public var text: String
    /// `integer`, `boolean`, `menu`, … .
    public var kind: String
    /// The least value.
    public var minimum: Int64
    /// The greatest value.
    public var maximum: Int64
    /// From a value to the next.
    public var step: UInt64
    /// The value after power-on.
    public var usual: Int64
    /// The value now; nil where it cannot be read.
    public var value: Int64?
    /// A menu's entries.
    public var menu: [Item]
    /// Whether it can only be read.
    public var isReadOnly: Bool
    /// Whether another control keeps it from having an effect now.
    public var isInactive: Bool
    /// The values that it takes, in words.
    public var range: String
  }

  /// The mode that would be asked for.
  public struct Choice: Sendable, Encodable {
    /// `1280x720 MJPG at 30 fps`.
    public var mode: String
    /// Why that one, in words.
    public var reason: String
  }

  /// What to write in the configuration: the name that stays when the camera is plugged in again.
  public var name: String
  /// The model's name.
  public var model: String
  /// The node that it has now.
  public var path: String
  /// Names under `/dev/v4l/by-id`.
  public var byId: [String]
  /// Names under `/dev/v4l/by-path`, which stand for the port that it is in.
  public var byPath: [String]
  /// The nodes of other cameras with the same serial number.
  public var twins: [String]
  /// Names that mean those, too.
  public var ambiguousNames: [String]
  /// The driver's name.
  public var driver: String
  /// Where it is connected.
  public var bus: String
  /// USB vendor and product: `1d6b:0102`; nil for other buses.
  public var usb: String?
  /// The serial number, where it has one.
  public var serial: String?
  /// What it can send.
  public var formats: [Format] = []
  /// What can be set.
  public var controls: [Control] = []
  /// Which program has it open, as far as this user may see.
  public var holder: String?
  /// The mode that would be asked for, and why; nil when there is none.
  public var choice: Choice?
  /// Why this is the camera that Retake would use; nil when it is not.
  public var use: String?
  /// Why it cannot be used now; nil when it can.
  public var problem: String?
  /// How it can be used with libcamera's layer; nil where it needs none.
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
