/// The identity of a camera, independent of the number of its device node.
public struct CameraIdentity: Hashable, Sendable {
  /// The name of the camera, which is the driver's card name or `demo`.
  public var name: String
  /// The driver's name.
  public var driver: String
  /// The place at which the camera is connected, as the driver names it.
  public var bus: String
  /// The USB vendor number, four hexadecimal digits; empty for other buses.
  public var vendor: String
  /// The USB product number, four hexadecimal digits; empty for other buses.
  public var product: String
  /// The manufacturer, as the device states it; empty if the device does not.
  public var manufacturer = ""
  /// The serial number; empty if there is none.
  public var serial: String
  /// The path of the device node or file in use.
  public var path: String
  /// Names under `/dev/v4l/by-id`.
  public var links: [String]
  /// Names under `/dev/v4l/by-path`, which stand for the port.
  public var ports: [String] = []
  /// The nodes of other cameras that have the same ``key``.
  public var twins: [String] = []
  /// The index of the node among the device's nodes, as in sysfs.
  public var index = 0

  /// Creates an identity.
  public init(
    name: String, driver: String = "", bus: String = "", vendor: String = "",
    product: String = "", serial: String = "", path: String = "", links: [String] = []
  ) {
    self.name = name
    self.driver = driver
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.serial = serial
    self.path = path
    self.links = links
  }

  /// A key that stays the same after a replug, made of vendor, product and serial number, or of the
  /// place on the bus if the camera has no serial number.
  public var key: String {
    let node = index > 0 ? "#\(index)" : ""
    if !vendor.isEmpty, !serial.isEmpty { return "usb:\(vendor):\(product):\(serial)\(node)" }
    if !vendor.isEmpty { return "usb:\(vendor):\(product)@\(bus)\(node)" }
    return "\(driver)@\(bus)\(node)"
  }

  /// A name that identifies only this camera and stays the same after a replug; for cameras that
  /// share a serial number, the name of the port.
  public var uniqueName: String {
    twins.isEmpty ? links.first ?? key : ports.first ?? path
  }
}
