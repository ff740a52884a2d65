import Capture
import Media
import Movies
import Station
import StationConfiguration

extension Doctor {
  /// What movies are coded with, as the running station found out, or as this machine has it.
  func movies(_ visit: Visit) -> [Finding] {
    guard visit.configuration.camera.device != Configuration.Camera.off else { return [] }
    let report = world.movies(visit.configuration)
    // The service may be refused a device that this user is not.
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
  /// Tries what a configuration's movies need, with frames as large as it asks for.
  init(_ configuration: Configuration) {
    let size = configuration.camera.size ?? PixelSize(width: 1280, height: 720)
    self = EncoderChoice.report(
      configuration.movie, frame: size, rate: configuration.camera.rate ?? 30)
  }
}
