import FoundationEssentials

/// What the doctor reads of a running station's status; everything may be missing, since the station
/// may be another version.
struct RunningStation: Decodable, Sendable {
  struct Camera: Decodable, Sendable {
    var name: String?
    var state: String?
    var words: String?
    var mode: String?
    var framesPublished: Int?
    var framesDamaged: Int?
  }
  struct Library: Decodable, Sendable {
    struct Copy: Decodable, Sendable {
      var path: String?
      var state: String?
      var fix: String?
    }
    var path: String?
    var state: String?
    var fix: String?
    var copies: [Copy]?
  }
  struct Panel: Decodable, Sendable {
    struct Button: Decodable, Sendable {
      var name: String?
      var place: String?
      var state: String?
      var problem: String?
    }
    struct Lamp: Decodable, Sendable {
      var name: String?
      var place: String?
      var problem: String?
    }
    var buttons: [Button]?
    var lamps: [Lamp]?
  }
  struct Service: Decodable, Sendable {
    var watchdogSeconds: Double?
    var silentMilliseconds: [String: Int]?
    var pageSilentMilliseconds: Int?
  }

  var state: String?
  var camera: Camera?
  var library: Library?
  var panel: Panel?
  var service: Service?
  var configurationProblem: String?

  /// Reads a status; nil where it is none.
  init?(json: String) {
    guard let read = try? JSONDecoder().decode(RunningStation.self, from: Data(json.utf8)) else {
      return nil
    }
    self = read
  }
}
