import Media
import Platform

extension ConfigurationKey {
  /// Returns the keys of one camera's table.
  static func camera(
    table: String, instances: @escaping @Sendable (Configuration) -> [[String]],
    at get: @escaping @Sendable (Configuration, String) -> Configuration.Camera,
    set: @escaping @Sendable (inout Configuration, Configuration.Camera, String) -> Void
  ) -> [ConfigurationKey] {
    func key(
      _ key: String, _ form: String, _ summary: String,
      read: @escaping @Sendable (inout Configuration.Camera, TOMLValue) throws(Refusal) -> Void,
      show: @escaping @Sendable (Configuration.Camera) -> String?
    ) -> ConfigurationKey {
      var result = ConfigurationKey(name: "\(table).\(key)", form: form, summary: summary) {
        config, value, names throws(Refusal) in
        let name = names.first ?? ""
        if !names.isEmpty { try checkNames(config.cameras.keys, name) }
        var camera = get(config, name)
        try read(&camera, value)
        set(&config, camera, name)
      } show: { config, names in
        show(get(config, names.first ?? ""))
      }
      result.instances = instances
      return result
    }
    // The camera without a name has a default device.
    let usual = table.hasSuffix("*") ? nil : tomlString("auto")
    return [
      key(
        "device",
        #""auto", "demo", "clip:FILE", a device's path, its name in /dev/v4l/by-id or by-path, or "off""#,
        "which camera"
      ) { camera, value throws(Refusal) in
        let device = try value.string()
        guard !device.isEmpty else { throw Refusal(reason: "must name a camera, or be left out") }
        camera.device = device
      } show: {
        $0.device.map(tomlString) ?? usual
      },
      key(
        "size", #"width and height, such as "1280x720""#,
        "size to ask for; default: the best for stills at the rate"
      ) { camera, value throws(Refusal) in
        guard let size = PixelSize(try value.string()) else {
          throw Refusal(reason: #"must be width and height, such as "1280x720""#)
        }
        camera.size = size
      } show: {
        $0.size.map { tomlString($0.description) }
      },
      key(
        "rate", "frames a second, from 1 to 240",
        "rate to ask for; default: what the camera does best, from 15 up"
      ) { camera, value throws(Refusal) in
        let rate = try value.number()
        guard (1...240).contains(rate) else { throw Refusal(reason: "must be from 1 to 240") }
        camera.rate = rate
      } show: {
        $0.rate.map { tomlNumber($0) }
      },
      key(
        "format", #"four characters, such as "MJPG" or "YUYV""#,
        "pixel format to ask for; default: what the bus carries best"
      ) { camera, value throws(Refusal) in
        guard let format = PixelFormat(try value.string()) else {
          throw Refusal(reason: #"must be a V4L2 format of four characters, such as "MJPG""#)
        }
        camera.format = format
      } show: {
        $0.format.map { tomlString($0.description) }
      },
      key(
        "delay", "milliseconds from 0 to 1000",
        "the camera's latency, from light to frame; 'retake buttons --measure-delay' measures it"
      ) { camera, value throws(Refusal) in
        camera.delay = try value.milliseconds(in: 0...1000)
      } show: {
        $0.delay.map { tomlNumber($0.milliseconds) }
      },
    ]
  }

  /// Returns the keys of the camera without a name.
  static func camera(
    table: String, at get: @escaping @Sendable (Configuration, String) -> Configuration.Camera,
    set: @escaping @Sendable (inout Configuration, Configuration.Camera) -> Void
  ) -> [ConfigurationKey] {
    camera(table: table, instances: { _ in [[]] }, at: get) { config, camera, _ in
      set(&config, camera)
    }
  }
}
