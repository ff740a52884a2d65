// timelapse CAMERA DIRECTORY COUNT: one photo a second, each safe on the disk when it is printed.
import PhotoLibrary
import Shots

let arguments = CommandLine.arguments
let camera = try await Camera.open(CameraName(arguments[1]))
let library = try await PhotoLibrary.open(.init(root: arguments[2], album: "timelapse"))
let start = MonotonicTime.now
for number in 0..<(Int(arguments[3]) ?? .max) {
  let shot = try await camera.still(nearest: start + .seconds(number))
  let photo = try await library.save(shot.still)
  print(photo.path, photo.date.map { "\($0)" } ?? "without a date")
}
