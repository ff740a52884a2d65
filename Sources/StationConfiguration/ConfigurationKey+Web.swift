import KioskServer

extension ConfigurationKey {
  /// The keys of `[web]`.
  static let web: [ConfigurationKey] = [
    webListen, webHosts, webToken, webPIN, webDirectory, webLanguage,
    flag("web.sounds", \.web.sounds, summary: "whether countdown and shutter are heard"),
    flag(
      "web.slideshow", \.web.slideshow,
      summary: "whether saved photos are shown while nobody is there"),
    flag(
      "web.gallery", \.web.gallery,
      summary: "whether guests can look through the saved photos of every album"),
    choice(
      "web.lens", \.web.lens, form: #""top", "right", "bottom" or "left""#,
      summary: "where the lens is, seen from the screen: there the countdown's arrow points"),
    flag(
      "web.fill-light", \.web.fillLight,
      summary: "whether the screen lights the face for the last 0.4 s of a countdown"),
    webTitle,
  ]

  private static let webListen = ConfigurationKey(
    name: "web.listen", form: #"an address and a port, such as "127.0.0.1:8080"; "" for no page"#,
    summary: "where the page is"
  ) { config, value, _ throws(Refusal) in
    let text = try value.string()
    guard !text.isEmpty else {
      config.web.listen = nil
      return
    }
    guard let address = KioskAddress(text), address.port > 0 else {
      throw Refusal(
        reason: #"must be an address and a port, such as "127.0.0.1:8080" or "[::1]:8080", or """#)
    }
    config.web.listen = address
  } show: { config, _ in
    tomlString(config.web.listen.map(\.description) ?? "")
  }

  private static let webHosts = ConfigurationKey(
    name: "web.hosts", form: #"a list of names, such as ["booth.local"]"#,
    summary: "names of this machine under which browsers may ask for the page"
  ) { config, value, _ throws(Refusal) in
    let names = try value.strings()
    for name in names where !isHostName(name) {
      throw Refusal(reason: "must hold names without port, and \(tomlString(name)) is none")
    }
    guard names.count <= 64 else { throw Refusal(reason: "must hold at most 64 names") }
    config.web.hosts = names
  } show: { config, _ in
    "[" + config.web.hosts.map(tomlString).joined(separator: ", ") + "]"
  }

  private static let webToken = ConfigurationKey(
    name: "web.token",
    form: "at least \(KioskConfiguration.shortestToken) letters, digits, '-', '_', '.', "
      + #"such as "a-long-word-of-your-own"; not shown"#,
    summary: "the secret that clients must send; needed to listen elsewhere than on this machine"
  ) { config, value, _ throws(Refusal) in
    let text = try value.string()
    guard (KioskConfiguration.shortestToken...256).contains(text.utf8.count),
      text.utf8.allSatisfy(isSafe)
    else {
      throw Refusal(
        reason: "must be \(KioskConfiguration.shortestToken) to 256 letters, digits, '-', '_', '.'")
    }
    config.web.token = text
  } show: { _, _ in
    nil
  }

  private static let webPIN = ConfigurationKey(
    name: "web.pin", form: #"4 to 32 letters or digits, such as "2468"; never shown"#,
    summary: "the staff's PIN at the page, to see how the station stands, and to delete photos, "
      + "start albums and restart there"
  ) { config, value, _ throws(Refusal) in
    let text = try value.string()
    guard (4...32).contains(text.utf8.count), text.utf8.allSatisfy(isSafe) else {
      throw Refusal(reason: "must be a string of 4 to 32 letters or digits")
    }
    config.web.pin = text
  } show: { _, _ in
    nil
  }

  private static let webDirectory = ConfigurationKey(
    name: "web.directory", form: "an absolute path",
    summary: "a directory whose files come before those of the built-in page"
  ) { config, value, _ throws(Refusal) in
    config.web.directory = try value.absolutePath()
  } show: { config, _ in
    config.web.directory.map(tomlString)
  }

  private static let webLanguage = ConfigurationKey(
    name: "web.language", form: #""auto", or a language such as "en", "ko" or "de""#,
    summary: "the page's language; auto: the browser's"
  ) { config, value, _ throws(Refusal) in
    let text = try value.string()
    guard (2...16).contains(text.utf8.count), text.utf8.allSatisfy(isSafe) else {
      throw Refusal(reason: #"must be "auto" or a language, such as "en""#)
    }
    config.web.language = text
  } show: { config, _ in
    tomlString(config.web.language)
  }

  private static let webTitle = ConfigurationKey(
    name: "web.title", form: "a few words", summary: "the page's headline while nobody is there"
  ) { config, value, _ throws(Refusal) in
    let text = try value.string()
    guard text.unicodeScalars.count <= 80,
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw Refusal(reason: "must be one line of at most 80 characters") }
    config.web.title = text.isEmpty ? nil : text
  } show: { config, _ in
    config.web.title.map(tomlString)
  }

  // Returns whether the byte needs no escape in a header, a cookie and an address.
  private static func isSafe(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D || byte == 0x5F || byte == 0x2E
  }

  private static func isHostName(_ name: String) -> Bool {
    (1...253).contains(name.utf8.count) && name.utf8.allSatisfy(isSafe)
  }
}
