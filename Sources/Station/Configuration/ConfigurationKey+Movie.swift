import Movies

extension ConfigurationKey {
  /// The keys of `[movie]`.
  static let movie: [ConfigurationKey] = [
    ConfigurationKey(
      name: "movie.codec", form: #""auto", "h264" or "copy""#,
      summary: "what movies are coded with: H.264, the camera's own JPEG pictures, or what works"
    ) { config, value, _ throws(Refusal) in
      config.movie.codec = try value.oneOf(MovieSettings.Codec.self)
    } show: { config, _ in
      tomlString(config.movie.codec.rawValue)
    },
    ConfigurationKey(
      name: "movie.preset", form: #""auto", "veryfast", "superfast" or "ultrafast""#,
      summary: "how much time libx264 may take; \"auto\" is the slowest that keeps up"
    ) { config, value, _ throws(Refusal) in
      config.movie.preset = try value.oneOf(MovieSettings.Preset.self)
    } show: { config, _ in
      tomlString(config.movie.preset.rawValue)
    },
    ConfigurationKey(
      name: "movie.quality", form: "a whole number from 1 to 100",
      summary: "how good H.264 pictures are, and so how large movies get"
    ) { config, value, _ throws(Refusal) in
      config.movie.quality = try value.whole(in: 1...100)
    } show: { config, _ in
      String(config.movie.quality)
    },
    ConfigurationKey(
      name: "movie.maximum", form: "a number of seconds from 0.5 to 600",
      summary: "the longest movie, with what is from before the press"
    ) { config, value, _ throws(Refusal) in
      config.movie.maximum = try value.seconds(in: 0.5...600)
    } show: { config, _ in
      tomlSeconds(config.movie.maximum)
    },
    ConfigurationKey(
      name: "movie.preroll", form: "a number of seconds from 0 to 5",
      summary: "how much from before the press belongs to a movie"
    ) { config, value, _ throws(Refusal) in
      config.movie.preroll = try value.seconds(in: 0...5)
    } show: { config, _ in
      tomlSeconds(config.movie.preroll)
    },
    ConfigurationKey(
      name: "movie.boomerang",
      form: "0 for plain movies, or a whole number of frames from 2 to 120",
      summary: "how many frames go forward and back, three times, in place of a plain movie"
    ) { config, value, _ throws(Refusal) in
      let frames = try value.whole(in: 0...MovieSettings.longestBoomerang)
      guard frames != 1 else { throw Refusal(reason: "must be 0, or from 2 to 120") }
      config.movie.boomerang = frames
    } show: { config, _ in
      String(config.movie.boomerang)
    },
  ]
}

extension TOMLValue {
  /// A whole number in `range`.
  func whole(in range: ClosedRange<Int>) throws(ConfigurationKey.Refusal) -> Int {
    guard case .integer(let value) = content, range.contains(Int(clamping: value)) else {
      throw ConfigurationKey.Refusal(
        reason: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(clamping: value)
  }
}
