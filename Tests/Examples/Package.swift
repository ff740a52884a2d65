// swift-tools-version: 6.0
import PackageDescription

// Small programs as a new user writes them, each with the products that it needs.
// Tests/Examples/run builds and runs them.

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "Retake", path: "../..")],
  targets: [
    .executableTarget(
      name: "grab", dependencies: [.product(name: "Shots", package: "Retake")]),
    .executableTarget(
      name: "timelapse",
      dependencies: [
        .product(name: "PhotoLibrary", package: "Retake"),
        .product(name: "Shots", package: "Retake"),
      ]),
    .executableTarget(
      name: "picker",
      dependencies: [
        .product(name: "ImagePicker", package: "Retake"),
        .product(name: "Station", package: "Retake"),
      ]),
    .executableTarget(
      name: "button",
      dependencies: [
        .product(name: "KioskServer", package: "Retake"),
        .product(name: "Shots", package: "Retake"),
        .product(name: "Trigger", package: "Retake"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
