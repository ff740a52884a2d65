import Capture
import Media
import Movies
import Station
import StationConfiguration

extension Doctor {
  /// Returns the findings about the encoder of the running station, or else of this machine.
  func movies(_ visit: Visit) -> [Finding] {
    guard visit.configuration.camera.device != Configuration.Camera.off else { return [] }
    let report = world.movies(visit.configuration)
    // The service may lack access to an encoder's device that this user has.
    if let codec = visit.station?.movies?.codec, codec != MoviePlan.Coding.copy.description {
      return [say("movies", ["coding": codec, "hardware": report.hardware])]
    }
    guard report.isWanted, let coding = report.coding else {
      let code = report.coding == nil ? "movies-none" : "movies-copied"
      return [say(code, ["error": report.problem, "fix": report.fix])]
    }
    let words =
      coding == .copy
      ? "the camera's own pictures, as 'movie.codec' says, which browsers do not play"
      : coding.description
    return [say("movies", ["coding": words, "hardware": report.hardware])]
  }
}

extension EncoderChoice.Report {
  /// Tries the encoders for a configuration's movies, with the configured size and rate.
  init(_ configuration: Configuration) {
    let size = configuration.camera.size ?? PixelSize(width: 1280, height: 720)
    self = EncoderChoice.report(
      configuration.movie, frame: size, rate: configuration.camera.rate ?? 30)
  }
}
