import Capture
import Platform

/// One camera as `retake cameras` shows it.
public struct CameraReport: Sendable, Encodable {
  /// What it can send in one format.
  public struct Format: Sendable, Encodable {
    /// Four characters: `MJPG`.
    public var format: String
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

  /// What to write in the configuration: the name that stays when the camera is plugged in again.
  public var name: String
  /// The model's name.
  public var model: String
  /// The node that it has now.
  public var path: String
  /// Names under `/dev/v4l/by-id`.
  public var byId: [String]
  /// The driver's name.
  public var driver: String
  /// Where it is connected.
  public var bus: String
  /// USB vendor and product: `1d6b:0102`; nil for other buses.
  public var usb: String?
  /// The serial number, where it has one.
  public var serial: String?
  /// What it can send.
  public var formats: [Format]
  /// Why it cannot be used now; nil when it can.
  public var problem: String?

  /// The cameras of this machine.
  ///
  /// It opens each for a moment, and blocks.
  public static func all(system: any SystemCalls = LinuxSystemCalls()) -> [CameraReport] {
    let list = CameraList(system: system)
    return list.entries().map { entry in
      let identity = entry.identity
      var problem = entry.error?.message
      var formats: [Format] = []
      if problem == nil {
        do throws(CaptureError) {
          let offers = try list.offers(at: identity.path)
          formats = offers.map { Format($0) }
        } catch {
          problem = error.message
        }
      }
      return CameraReport(
        name: identity.links.first ?? identity.key, model: identity.name, path: identity.path,
        byId: identity.links, driver: identity.driver, bus: identity.bus,
        usb: identity.vendor.isEmpty ? nil : "\(identity.vendor):\(identity.product)",
        serial: identity.serial.isEmpty ? nil : identity.serial, formats: formats, problem: problem)
    }
  }
}

extension CameraReport.Format {
  init(_ offer: FormatOffer) {
    format = offer.format.description
    sizes = offer.sizes.sorted {
      ($0.size.width * $0.size.height, $0.size.width)
        > ($1.size.width * $1.size.height, $1.size.width)
    }.map { size in
      CameraReport.Size(
        size: size.size.description, rates: size.rates.sorted(by: >).map(\.description))
    }
  }
}
