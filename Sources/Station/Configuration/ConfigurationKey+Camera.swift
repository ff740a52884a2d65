import Platform

extension ConfigurationKey {
  /// The keys of one camera's table.
  static func camera(
    table: String, instances: @escaping @Sendable (Configuration) -> [[String]],
    at get: @escaping @Sendable (Configuration, String) -> Configuration.Camera,
    set: @escaping @Sendable (inout Configuration, Configuration.Camera, String) -> Void
  ) -> [ConfigurationKey] {
    let keys = [
      ConfigurationKey(
        name: "\(table).device",
        form:
          #""auto", "demo", "clip:FILE", a device's path, its name in /dev/v4l/by-id, or "off""#,
        summary: "which camera"
      ) { config, value, names throws(Refusal) in
        let name = names.first ?? ""
        let device = try value.string()
        guard !device.isEmpty else { throw Refusal(reason: "must name a camera, or be left out") }
        var camera = get(config, name)
        camera.device = device
        set(&config, camera, name)
      } show: { config, names in
        get(config, names.first ?? "").device.map(tomlString)
          ?? (names.isEmpty ? tomlString("auto") : nil)
      },
      ConfigurationKey(
        name: "\(table).size", form: #"width and height, such as "1280x720""#,
        summary: "size to ask for; default: the best for stills at the rate"
      ) { config, value, names throws(Refusal) in
        let name = names.first ?? ""
        guard let size = PixelSize(try value.string()) else {
          throw Refusal(reason: #"must be width and height, such as "1280x720""#)
        }
        var camera = get(config, name)
        camera.size = size
        set(&config, camera, name)
      } show: { config, names in
        get(config, names.first ?? "").size.map { tomlString($0.description) }
      },
      ConfigurationKey(
        name: "\(table).rate", form: "frames a second, from 1 to 240",
        summary: "rate to ask for; default: what the camera does best, from 15 up"
      ) { config, value, names throws(Refusal) in
        let name = names.first ?? ""
        let rate = try value.number()
        guard (1...240).contains(rate) else { throw Refusal(reason: "must be from 1 to 240") }
        var camera = get(config, name)
        camera.rate = rate
        set(&config, camera, name)
      } show: { config, names in
        get(config, names.first ?? "").rate.map { tomlNumber($0) }
      },
      ConfigurationKey(
        name: "\(table).format", form: #"four characters, such as "MJPG" or "YUYV""#,
        summary: "pixel format to ask for; default: what the bus carries best"
      ) { config, value, names throws(Refusal) in
        let name = names.first ?? ""
        guard let format = PixelFormat(try value.string()) else {
          throw Refusal(reason: #"must be a V4L2 format of four characters, such as "MJPG""#)
        }
        var camera = get(config, name)
        camera.format = format
        set(&config, camera, name)
      } show: { config, names in
        get(config, names.first ?? "").format.map { tomlString($0.description) }
      },
      ConfigurationKey(
        name: "\(table).delay", form: "milliseconds from 0 to 1000",
        summary: "how much later than its light a frame is dated; 'retake buttons --measure-delay'"
      ) { config, value, names throws(Refusal) in
        let name = names.first ?? ""
        var camera = get(config, name)
        camera.delay = try value.milliseconds(in: 0...1000)
        set(&config, camera, name)
      } show: { config, names in
        get(config, names.first ?? "").delay.map { tomlNumber($0.milliseconds) }
      },
    ]
    return keys.map { key in
      var key = key
      key.instances = instances
      return key
    }
  }

  /// The keys of the one camera that has no name.
  static func camera(
    table: String, at get: @escaping @Sendable (Configuration, String) -> Configuration.Camera,
    set: @escaping @Sendable (inout Configuration, Configuration.Camera) -> Void
  ) -> [ConfigurationKey] {
    camera(table: table, instances: { _ in [[]] }, at: get) { config, camera, _ in
      set(&config, camera)
    }
  }
}
