// swift-tools-version: 6.0
import PackageDescription

// C libraries come from Debian's -dev packages (scripts/packages.txt). None of the system targets
// names a pkg-config module: a cross build would then read the host's files. The `link` lines of
// the module maps are enough on both.

let package = Package(
  name: "Retake",
  products: [
    .library(name: "ImagePicker", targets: ["ImagePicker"]),
    .library(name: "Station", targets: ["Station"]),
    .library(name: "Capture", targets: ["Capture"]),
    .library(name: "Imaging", targets: ["Imaging"]),
    .library(name: "Trigger", targets: ["Trigger"]),
    .library(name: "Movies", targets: ["Movies"]),
    .library(name: "PhotoLibrary", targets: ["PhotoLibrary"]),
    .library(name: "KioskServer", targets: ["KioskServer"]),
    .executable(name: "retake", targets: ["retake"]),
  ],
  targets: [
    // C only: request codes, structures, version shims.
    .target(name: "CLinux"),
    .target(name: "CVideo4Linux", linkerSettings: [.linkedLibrary("v4lconvert")]),
    .systemLibrary(name: "CTurboJPEG"),
    .systemLibrary(name: "CExif"),
    .systemLibrary(name: "CPNG"),
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CTOML"),
    .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
    .systemLibrary(name: "CEvdev"),
    // These load their libraries when they are needed: nothing to link with.
    .target(name: "CLibAV"),
    .target(name: "CLoader"),
    .target(name: "CSQLite", dependencies: ["CLoader"]),
    .target(name: "CArchive", dependencies: ["CLoader"]),
    .target(name: "CMicroHTTPD", dependencies: ["CLoader"]),
    .target(name: "CSystemd", dependencies: ["CLoader"]),

    // Swift, from the kernel upwards. Dependencies point up this list only.
    .target(name: "Platform", dependencies: ["CLinux", "CSystemd"]),
    .target(name: "Capture", dependencies: ["Platform", "CVideo4Linux", "CTurboJPEG"]),
    .target(name: "Imaging", dependencies: ["Platform", "CJPEG", "CTurboJPEG", "CExif", "CPNG"]),
    .target(name: "Trigger", dependencies: ["Platform", "CGPIO", "CEvdev"]),
    .target(name: "Movies", dependencies: ["Platform", "Imaging", "CLibAV", "CLinux"]),
    .target(name: "ImagePicker"),
    .target(name: "PhotoLibrary", dependencies: ["Platform", "CSQLite", "CArchive"]),
    .target(
      name: "KioskServer",
      dependencies: ["Platform", "ImagePicker", "PhotoLibrary", "CLinux", "CMicroHTTPD"],
      exclude: ["Page"]),
    .target(
      name: "Station",
      dependencies: [
        "Platform", "Capture", "Imaging", "Movies", "Trigger", "ImagePicker", "PhotoLibrary",
        "KioskServer", "CTOML",
      ]),
    .executableTarget(name: "retake", dependencies: ["Station", "PhotoLibrary", "ImagePicker"]),

    .target(
      name: "StationTestSupport",
      dependencies: ["Platform", "CLinux", "CVideo4Linux", "CTurboJPEG"],
      exclude: []),
    // Replaces malloc in whatever is linked with it, so tests only.
    .target(name: "CAllocationCounter"),
    .target(
      name: "FuzzTargets",
      dependencies: ["Capture", "Imaging", "PhotoLibrary", "Station", "StationTestSupport"],
      path: "Tests/Fuzz/Targets"),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay"),
    .testTarget(
      name: "PlatformTests", dependencies: ["Platform", "StationTestSupport", "CLinux"]),
    .testTarget(
      name: "CaptureTests",
      dependencies: ["Capture", "CVideo4Linux", "CAllocationCounter", "StationTestSupport"]),
    .testTarget(
      name: "ImagingTests",
      dependencies: ["Imaging", "StationTestSupport", "CJPEG", "CTurboJPEG", "CPNG", "CLinux"]),
    .testTarget(
      name: "MoviesTests",
      dependencies: ["Movies", "Imaging", "Capture", "CAllocationCounter", "StationTestSupport"]),
    .testTarget(name: "TriggerTests", dependencies: ["Trigger", "StationTestSupport", "CLinux"]),
    .testTarget(name: "ImagePickerTests", dependencies: ["ImagePicker"]),
    .testTarget(name: "PhotoLibraryTests", dependencies: ["PhotoLibrary", "StationTestSupport"]),
    .testTarget(
      name: "KioskServerTests", dependencies: ["KioskServer", "ImagePicker", "Platform"]),
    .testTarget(
      name: "StationTests",
      dependencies: [
        "Station", "Capture", "Imaging", "ImagePicker", "KioskServer", "StationTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11,
  cxxLanguageStandard: .cxx17
)

// A fuzz target needs libFuzzer's main function: scripts/campaigns/fuzz builds these.
if Context.environment["RETAKE_FUZZ"] != nil {
  for part in ["configuration", "gate", "headers", "negotiation", "pictures"] {
    let name = "fuzz-\(part)"
    package.targets.append(
      .executableTarget(
        name: name, dependencies: ["FuzzTargets"], path: "Tests/Fuzz/\(name)",
        swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
  }
}

// What scripts/bench measures inside the process; nothing else needs it.
if Context.environment["RETAKE_BENCHMARKS"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "retake-bench", dependencies: ["Imaging", "Platform", "CTurboJPEG", "CLinux"]))
}
