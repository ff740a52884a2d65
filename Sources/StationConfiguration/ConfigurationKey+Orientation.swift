import Imaging

extension ConfigurationKey {
  /// The keys of `[orientation]`.
  static let orientation: [ConfigurationKey] = [
    ConfigurationKey(
      name: "orientation.mount", form: "0, 90, 180 or 270",
      summary: "degrees clockwise that the camera's body is turned, seen from behind it"
    ) { config, value, _ throws(Refusal) in
      guard case .integer(let degrees) = value.content,
        let mount = Orientation.Mount(rawValue: Int(clamping: degrees))
      else { throw Refusal(reason: "must be 0, 90, 180 or 270") }
      config.orientation.mount = mount
    } show: { config, _ in
      String(config.orientation.mount.rawValue)
    },
    choice(
      "orientation.mirror", \.orientation.mirror, form: #""none", "preview", "saved" or "both""#,
      summary: "the pictures that are as in a mirror: the live one, the saved one"),
    choice(
      "orientation.enforce", \.orientation.enforce, form: #""portrait", "landscape" or "off""#,
      summary: "the shape that photos must have"),
    choice(
      "orientation.method", \.orientation.method, form: #""rotate-cw", "rotate-ccw" or "crop""#,
      summary: "how a picture of another shape becomes one of that shape: turned, or cut"),
    choice(
      "orientation.aspect", \.orientation.aspect, form: #""3:4", "2:3", "9:16" or "free""#,
      summary: "short side to long side of what a crop keeps"),
    flag(
      "orientation.exact", \.orientation.isExact,
      summary: "whether photos are encoded again where turning the camera's own data would cost "
        + "up to 15 pixels at the edge"),
  ]
}
