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
    .library(name: "StationConfiguration", targets: ["StationConfiguration"]),
    .library(name: "StationTools", targets: ["StationTools"]),
    .executable(name: "retake", targets: ["retake"]),
  ],
  targets: [
    // C only: request codes, structures, version shims.
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(
      name: "CVideo4Linux", path: "Sources/C/CVideo4Linux",
      linkerSettings: [.linkedLibrary("v4lconvert")]),
    .systemLibrary(name: "CTurboJPEG", path: "Sources/C/CTurboJPEG"),
    .systemLibrary(name: "CExif", path: "Sources/C/CExif"),
    .systemLibrary(name: "CPNG", path: "Sources/C/CPNG"),
    .target(name: "CJPEG", path: "Sources/C/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CTOML", path: "Sources/C/CTOML"),
    .target(name: "CGPIO", path: "Sources/C/CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
    .systemLibrary(name: "CEvdev", path: "Sources/C/CEvdev"),
    // These load their libraries at run time.
    .target(name: "CLibAV", path: "Sources/C/CLibAV"),
    .target(name: "CLoader", path: "Sources/C/CLoader"),
    .target(name: "CSQLite", dependencies: ["CLoader"], path: "Sources/C/CSQLite"),
    .target(name: "CArchive", dependencies: ["CLoader"], path: "Sources/C/CArchive"),
    .target(name: "CMicroHTTPD", dependencies: ["CLoader"], path: "Sources/C/CMicroHTTPD"),
    .target(name: "CSystemd", dependencies: ["CLoader"], path: "Sources/C/CSystemd"),

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
      name: "StationConfiguration",
      dependencies: [
        "Platform", "Capture", "Imaging", "Movies", "Trigger", "ImagePicker", "PhotoLibrary",
        "KioskServer", "CTOML",
      ]),
    .target(
      name: "Station",
      dependencies: [
        "Platform", "Capture", "Imaging", "Movies", "Trigger", "ImagePicker", "PhotoLibrary",
        "KioskServer", "StationConfiguration", "CLinux",
      ]),
    .target(
      name: "StationTools",
      dependencies: [
        "Platform", "Capture", "Imaging", "Movies", "Trigger", "ImagePicker", "PhotoLibrary",
        "KioskServer", "StationConfiguration", "Station", "CLinux",
      ]),
    .executableTarget(
      name: "retake",
      dependencies: [
        "Platform", "Trigger", "ImagePicker", "PhotoLibrary", "Station", "StationTools", "CLinux",
      ]),

    .target(
      name: "StationTestSupport",
      dependencies: ["Platform", "CLinux", "CVideo4Linux", "CTurboJPEG"],
      path: "Tests/Support/StationTestSupport"),
    // Replaces malloc in each program that links it.
    .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
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
      name: "StationConfigurationTests",
      dependencies: ["StationConfiguration", "Platform", "Capture"]),
    .testTarget(
      name: "StationTests",
      dependencies: [
        "Station", "Capture", "Imaging", "ImagePicker", "KioskServer", "StationTestSupport",
      ]),
    .testTarget(
      name: "StationToolsTests",
      dependencies: [
        "StationTools", "Station", "Capture", "Movies", "ImagePicker", "Trigger", "Platform",
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
      name: "retake-bench", dependencies: ["Imaging", "Platform", "CTurboJPEG", "CLinux"],
      path: "Tests/Benchmarks/retake-bench"))
}
