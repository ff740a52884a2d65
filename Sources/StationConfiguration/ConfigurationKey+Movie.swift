import Movies

extension ConfigurationKey {
  /// The keys of `[movie]`.
  static let movie: [ConfigurationKey] = [
    choice(
      "movie.codec", \.movie.codec, form: #""auto", "h264" or "copy""#,
      summary: "the coding of movies: H.264, the camera's own JPEG pictures, or whichever works"),
    choice(
      "movie.preset", \.movie.preset, form: #""auto", "veryfast", "superfast" or "ultrafast""#,
      summary: "how much time libx264 may take; \"auto\" is the slowest that keeps up"),
    ConfigurationKey(
      name: "movie.quality", form: "a whole number from 1 to 100",
      summary: "how good H.264 pictures are, and so how large movies get"
    ) { config, value, _ throws(Refusal) in
      config.movie.quality = try value.whole(in: 1...100)
    } show: { config, _ in
      String(config.movie.quality)
    },
    ConfigurationKey(
      name: "movie.megapixels", form: "a number from 0.3 to 8.3",
      summary: "how many pixels H.264 pictures have at most; an encoder's memory grows with them"
    ) { config, value, _ throws(Refusal) in
      let megapixels = try value.number()
      guard (0.3...8.3).contains(megapixels) else {
        throw Refusal(reason: "must be from 0.3 to 8.3")
      }
      config.movie.mostPixels = Int((megapixels * 1e6).rounded())
    } show: { config, _ in
      tomlNumber(Double(config.movie.mostPixels) / 1e6)
    },
    seconds(
      "movie.maximum", \.movie.maximum, in: 0.5...600,
      summary: "the longest movie, with what is from before the press"),
    seconds(
      "movie.preroll", \.movie.preroll, in: 0...5,
      summary: "how much from before the press belongs to a movie"),
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
  /// Returns the value as a whole number in `range`; throws for any other value.
  func whole(in range: ClosedRange<Int>) throws(ConfigurationKey.Refusal) -> Int {
    guard case .integer(let value) = content, range.contains(Int(clamping: value)) else {
      throw ConfigurationKey.Refusal(
        reason: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(clamping: value)
  }
}
