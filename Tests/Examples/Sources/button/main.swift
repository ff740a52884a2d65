// button CAMERA: a photo at each press, of the moment of the press; the live picture is a web page.
import KioskServer
import Shots
import Trigger

final class Preview: KioskStation {
  let camera: Camera
  init(_ camera: Camera) { self.camera = camera }
  func frame(after last: UInt64?) -> (any KioskFrame)? { camera.preview.newest(after: last) }
}

let camera = try await Camera.open(CameraName(CommandLine.arguments[1]))
let triggers = try Triggers([.terminal, .signal, .gpio("GPIO17")])
let address = KioskAddress(host: "127.0.0.1", port: 0)
let server = try PageServer(KioskConfiguration(address: address), station: Preview(camera))
try await server.start()
print("http://127.0.0.1:\(server.port)/preview.mjpg")
for await press in triggers.events where [.shutter, .quit].contains(press.action) {
  if press.action == .quit { break }
  let shot = try await camera.still(nearest: press.time)
  print("\(press.source): \(shot.still.size), \(shot.offset) from the press")
}
triggers.stop()
await server.stop()
