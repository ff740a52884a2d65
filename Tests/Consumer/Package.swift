// swift-tools-version: 6.0
import PackageDescription

// A program outside the package: what UIKit developers write, with Retake as their picker.
// Tests/Consumer/run builds and runs it.

let package = Package(
  name: "Consumer",
  dependencies: [.package(name: "Retake", path: "../..")],
  targets: [
    .executableTarget(
      name: "Consumer",
      dependencies: [
        .product(name: "ImagePicker", package: "Retake"),
        .product(name: "Station", package: "Retake"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
