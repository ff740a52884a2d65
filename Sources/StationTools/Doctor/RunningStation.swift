import FoundationEssentials
import ImagePicker

/// The part of a running station's status that the doctor reads.
///
/// Every value is optional, since the station may have another version.
struct RunningStation: Decodable, Sendable {
  struct Camera: Decodable, Sendable {
    var name: String?
    var state: String?
    var words: String?
    var holder: String?
    var mode: String?
    var observedRate: Double?
    var lacksLight: Bool?
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
    var picturesOmitted: Int?
    var copies: [Copy]?
  }
  struct Panel: Decodable, Sendable {
    struct Button: Decodable, Sendable {
      var name: String?
      var place: String?
      var state: String?
      var problem: String?
      var presses: Int?
    }
    struct Lamp: Decodable, Sendable {
      var name: String?
      var place: String?
      var isLit: Bool?
      var problem: String?
    }
    var buttons: [Button]?
    var lamps: [Lamp]?
  }
  struct Movies: Decodable, Sendable {
    var codec: String?
    var isRecording: Bool?
  }
  struct Service: Decodable, Sendable {
    var watchdogSeconds: Double?
    var silentMilliseconds: [String: Int]?
    var pageSilentMilliseconds: Int?
  }

  struct SilentDisk: Decodable, Sendable {
    var path: String?
    var milliseconds: Int?
  }

  struct Page: Decodable, Sendable {
    var address: String?
    var ignored: String?
    var problem: String?
  }

  struct Access: Decodable, Sendable {
    struct Resource: Decodable, Sendable {
      /// The permission problem that the station reported, or `nil`.
      var problem: AccessProblem?

      // The problem's parts stand beside the status; none of them means that there is no problem.
      init(from decoder: any Decoder) { problem = try? AccessProblem(from: decoder) }
    }
    var camera: Resource?
    var library: Resource?
    var buttons: Resource?
  }

  struct Photo: Decodable, Sendable {
    var path: String?
  }

  var state: String?
  var session: UInt64?
  var photos: Int?
  var lastPhoto: Photo?
  var lastRefusal: String?
  var refusedConfiguration: String?
  var access: Access?
  var camera: Camera?
  var library: Library?
  var panel: Panel?
  var page: Page?
  var service: Service?
  var movies: Movies?
  var silentDisks: [SilentDisk]?
  var configurationProblem: String?

  /// Decodes a status; `nil` when `json` is no status.
  init?(json: String) {
    guard let read = try? JSONDecoder().decode(RunningStation.self, from: Data(json.utf8)) else {
      return nil
    }
    self = read
  }
}
