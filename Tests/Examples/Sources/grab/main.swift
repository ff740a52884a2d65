// grab CAMERA FILE: an upright portrait of now, lossless if the camera sends JPEG.
import Shots

let arguments = CommandLine.arguments
let camera = try await Camera.open(CameraName(arguments[1]))
let shot = try await camera.still(software: "grab 1.0")
try shot.still.write(to: arguments[2])
print("\(shot.still.size) of \(shot.mode), \(shot.offset) from now, rejected: \(shot.rejected)")
await camera.stop()
