import PhotoLibrary
import Platform

import struct ImagePicker.ReviewFrames

/// A key of the configuration, with its name, its form, its meaning and its code.
public struct ConfigurationKey: Sendable {
  /// The reason for which a value was refused; the caller adds the place.
  struct Refusal: Error {
    var reason: String
  }

  /// The name in the file with its table, as in `countdown.seconds`.
  ///
  /// A `*` stands for a name that the operator chooses.
  public let name: String
  /// The form of a value, in words.
  public let form: String
  /// The meaning of the key, in one line.
  public let summary: String
  /// Sets the key; the third argument holds the names in place of each `*`.
  let read: @Sendable (inout Configuration, TOMLValue, [String]) throws(Refusal) -> Void
  /// Returns the effective value as TOML, or `nil` when the key is unset and has no default.
  let show: @Sendable (Configuration, [String]) -> String?
  /// Returns the names in place of each `*`, once for each instance of the key.
  var instances: @Sendable (Configuration) -> [[String]] = { _ in [[]] }

  /// Returns the names in place of each `*`, or `nil` when `keys` is another key.
  func match(_ keys: [String]) -> [String]? {
    let parts = name.split(separator: ".").map(String.init)
    guard parts.count == keys.count else { return nil }
    var names: [String] = []
    for (part, key) in zip(parts, keys) {
      if part == "*" { names.append(key) } else if part != key { return nil }
    }
    return names
  }

  /// Returns the name with `names` in place of each `*`, and each of them quoted by `quote`.
  func name(_ names: [String], quote: (String) -> String = { $0 }) -> String {
    var names = names[...]
    return name.split(separator: ".").map { part in
      part == "*" ? quote(names.popFirst() ?? "*") : String(part)
    }.joined(separator: ".")
  }

  /// All keys, in their order in documents.
  public static let all: [ConfigurationKey] = {
    // The parts are added one by one, since Swift 6.0 takes too long to check one large sum.
    var keys = camera(table: "camera", at: { config, _ in config.camera }) { $0.camera = $1 }
    keys += [fallback, cameraControls]
    keys += camera(
      table: "cameras.*", instances: { $0.cameras.keys.sorted().map { [$0] } },
      at: { config, name in config.cameras[name] ?? .init() },
      set: { config, camera, name in config.cameras[name] = camera })
    keys.append(camerasControls)
    keys += [countdown, reviewTimeout, reviewEnd, reviewFrames]
    keys += orientation
    keys += movie
    keys += triggers
    keys += [libraryPath, album, reserve, allowsVolatile]
    keys += browsing
    keys += keeping
    keys += [socketPath, socketMode]
    keys += web
    return keys
  }()

  private static let cameraControls = controls(
    table: "camera", cameras: { _ in [nil] }, at: { config, _ in config.camera },
    set: { config, camera, _ in config.camera = camera })

  private static let camerasControls = controls(
    table: "cameras.*", cameras: { $0.cameras.keys.sorted() },
    at: { config, name in config.cameras[name] ?? .init() },
    set: { config, camera, name in config.cameras[name] = camera })

  private static let fallback = ConfigurationKey(
    name: "camera.fallback", form: #"a list of cameras, such as ["front", "demo"]"#,
    summary: "cameras to use, in this order, when the first is absent at the start"
  ) { config, value, _ throws(Refusal) in
    let cameras = try value.strings()
    guard cameras.count <= 16 else { throw Refusal(reason: "must name at most 16 cameras") }
    config.fallback = cameras
  } show: { config, _ in
    "[" + config.fallback.map(tomlString).joined(separator: ", ") + "]"
  }

  private static let countdown = seconds(
    "countdown.seconds", \.countdown, in: 0...60, summary: "from the press to the exposure")

  private static let reviewTimeout = ConfigurationKey(
    name: "review.timeout", form: "a number of seconds from 0 to 3600; 0 is without end",
    summary: "how long a guest may look at the photo"
  ) { config, value, _ throws(Refusal) in
    let time = try value.seconds(in: 0...3600)
    // A timeout within the guard time of an accept would leave no time for an accept.
    guard time == .zero || time >= .seconds(2) else {
      throw Refusal(reason: "must be 0 or at least 2 seconds, or nobody could decide")
    }
    config.reviewTimeout = time == .zero ? nil : time
  } show: { config, _ in
    tomlSeconds(config.reviewTimeout ?? .zero)
  }

  private static let reviewEnd = choice(
    "review.at-end", \.reviewEnd, form: #""accept" or "cancel""#,
    summary:
      "what becomes of the photo when that time is over; a booth whose guests walk away wants "
      + "\"accept\"")

  private static let reviewFrames = ConfigurationKey(
    name: "review.frames", form: "a number from 1 to \(ReviewFrames.limit)",
    summary: "how many frames around the press a guest may choose from; 1: only the nearest"
  ) { config, value, _ throws(Refusal) in
    config.reviewFrames = try value.whole(in: 1...ReviewFrames.limit)
  } show: { config, _ in
    "\(config.reviewFrames)"
  }

  private static let libraryPath = ConfigurationKey(
    name: "library.path", form: "an absolute path", summary: "the directory that holds the albums"
  ) { config, value, _ throws(Refusal) in
    config.libraryPath = try value.absolutePath()
  } show: { config, _ in
    tomlString(config.libraryPath)
  }

  private static let album = ConfigurationKey(
    name: "library.album", form: "a directory name", summary: "the album that photos go to"
  ) { config, value, _ throws(Refusal) in
    let name = try value.string()
    guard LibraryConfiguration.isAlbumName(name) else {
      throw Refusal(
        reason: "must be a plain directory name of at most 64 bytes: no '/', no leading '.', not "
          + "'lost+found'")
    }
    config.album = name
  } show: { config, _ in
    tomlString(config.album)
  }

  private static let reserve = ConfigurationKey(
    name: "library.reserve", form: #"a number of bytes, or a string such as "200 MB""#,
    summary: "room that is always left free; default: 200 MB or 2 %, whichever is less"
  ) { config, value, _ throws(Refusal) in
    config.reserve = try value.bytes()
  } show: { config, _ in
    config.reserve.map(String.init)
  }

  private static let allowsVolatile = flag(
    "library.allow-volatile", \.allowsVolatile,
    summary: "whether photos may lie where they are gone at power-off (a RAM disk)")

  private static let socketPath = ConfigurationKey(
    name: "socket.path", form: "an absolute path of at most 107 bytes",
    summary: "where 'retake trigger' finds the station"
  ) { config, value, _ throws(Refusal) in
    let path = try value.absolutePath()
    guard path.utf8.count <= 107 else {
      throw Refusal(reason: "is too long: the kernel takes 107 bytes for a socket")
    }
    config.socketPath = path
  } show: { config, _ in
    tomlString(config.socketPath)
  }

  private static let socketMode = ConfigurationKey(
    name: "socket.mode", form: #"permission bits as a string, such as "0660""#,
    summary: "the permissions of the socket: users who may trigger the station"
  ) { config, value, _ throws(Refusal) in
    let text = try value.string()
    guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
      throw Refusal(reason: #"must be permission bits as a string, such as "0660""#)
    }
    config.socketMode = mode
  } show: { config, _ in
    let digits = String(config.socketMode, radix: 8)
    return tomlString(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
  }
}
