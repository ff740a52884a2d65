/// Which camera it is, whatever number it has today.
public struct CameraIdentity: Hashable, Sendable {
  /// What to call it: the card's name, or `demo`.
  public var name: String
  /// The driver's name.
  public var driver: String
  /// Where it is connected, as the driver says.
  public var bus: String
  /// The USB vendor number, four hexadecimal digits; empty for other buses.
  public var vendor: String
  /// The USB product number, four hexadecimal digits; empty for other buses.
  public var product: String
  /// Who made it, as the device says; empty where it does not.
  public var manufacturer = ""
  /// The serial number; empty where there is none.
  public var serial: String
  /// The device node or the file that is used now.
  public var path: String
  /// Names under `/dev/v4l/by-id`.
  public var links: [String]
  /// Names under `/dev/v4l/by-path`, which stand for the port.
  public var ports: [String] = []
  /// The nodes of other cameras that have the same ``key``.
  public var twins: [String] = []
  /// Which of the device's nodes it is, as sysfs numbers them.
  public var index = 0

  /// Makes an identity.
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

  /// What stays the same when it is plugged in again: vendor, product and serial number, or the
  /// place on the bus where a camera has no serial number.
  public var key: String {
    let node = index > 0 ? "#\(index)" : ""
    if !vendor.isEmpty, !serial.isEmpty { return "usb:\(vendor):\(product):\(serial)\(node)" }
    if !vendor.isEmpty { return "usb:\(vendor):\(product)@\(bus)\(node)" }
    return "\(driver)@\(bus)\(node)"
  }

  /// A name that means this camera and no other, and stays when it is plugged in again; for one of
  /// two with the same serial number that of its port.
  public var uniqueName: String {
    twins.isEmpty ? links.first ?? key : ports.first ?? path
  }
}
