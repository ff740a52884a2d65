// picker DIRECTORY: a guest takes a photo, then chooses it from the library. The screen is ours.
import ImagePicker
import Station

var configuration = Configuration()
configuration.libraryPath = CommandLine.arguments[1]
configuration.countdown = .zero
var options = Station.Options()
options.camera = "demo"
options.usesSocket = false
let station = try Station(configuration: configuration, options: options)
try await station.start()

// The guest presses, looks at the photo for a second, and keeps it.
let screen = Task {
  for await snapshot in station.snapshots {
    switch snapshot.state {
    case .live: station.send(.shutter)
    case .reviewing(let review):
      print("under review:", station.still(of: review.candidate)?.size.description ?? "nothing")
      try await Task.sleep(for: .seconds(1))
      station.send(.accept)
    default: break
    }
  }
}
if let pictures = station.preview?.pictures.prefix(1) {
  for await picture in pictures { print("live:", picture.size) }
}
if case .finished(let media) = try await station.pick(PickRequest(source: .camera)) {
  print("saved:", media.map { $0.imageURL?.path ?? "" })
}
await station.stop()
