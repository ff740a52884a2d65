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
    .library(name: "Platform", targets: ["Platform"]),
    .library(name: "Media", targets: ["Media"]),
    .library(name: "Capture", targets: ["Capture"]),
    .library(name: "DemoCamera", targets: ["DemoCamera"]),
    .library(name: "Imaging", targets: ["Imaging"]),
    .library(name: "Shots", targets: ["Shots"]),
    .library(name: "Trigger", targets: ["Trigger"]),
    .library(name: "Movies", targets: ["Movies"]),
    .library(name: "PhotoLibrary", targets: ["PhotoLibrary"]),
    .library(name: "KioskServer", targets: ["KioskServer"]),
    .library(name: "StationConfiguration", targets: ["StationConfiguration"]),
    .library(name: "StationTools", targets: ["StationTools"]),
    .library(name: "StationTestSupport", targets: ["StationTestSupport"]),
    .executable(name: "retake", targets: ["retake"]),
  ],
  targets: [
    // C only: request codes, structures, version shims.
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(name: "CMedia", path: "Sources/C/CMedia"),
    .target(
      name: "CVideo4Linux", path: "Sources/C/CVideo4Linux",
      linkerSettings: [.linkedLibrary("v4lconvert")]),
    .systemLibrary(name: "CTurboJPEG", path: "Sources/C/CTurboJPEG"),
    .systemLibrary(name: "CExif", path: "Sources/C/CExif"),
    .systemLibrary(name: "CPNG", path: "Sources/C/CPNG"),
    .systemLibrary(name: "CMount", path: "Sources/C/CMount"),
    .systemLibrary(name: "CNettle", path: "Sources/C/CNettle"),
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

    // Writes the kiosk page into KioskServer while that is built.
    .executableTarget(name: "embed-page", path: "scripts/embed-page/tool"),
    .plugin(
      name: "EmbedPage", capability: .buildTool(), dependencies: ["embed-page"],
      path: "scripts/embed-page/plugin"),

    // Swift, from the kernel upwards. Dependencies point up this list only.
    .target(name: "Platform", dependencies: ["CLinux", "CMount", "CSystemd"]),
    // Values and readers over bytes: nothing in it opens, reads or writes a file.
    .target(name: "Media", dependencies: ["CMedia"]),
    .target(name: "Capture", dependencies: ["CLinux", "CVideo4Linux", "Platform", "Media"]),
    .target(name: "DemoCamera", dependencies: ["CTurboJPEG", "Platform", "Media", "Capture"]),
    .target(
      name: "Imaging", dependencies: ["CTurboJPEG", "CExif", "CPNG", "CJPEG", "Platform", "Media"]),
    // A frame and its still in one call.
    .target(
      name: "Shots", dependencies: ["Platform", "Media", "Capture", "DemoCamera", "Imaging"]),
    .target(name: "Trigger", dependencies: ["CLinux", "CGPIO", "CEvdev", "Platform"]),
    .target(name: "Movies", dependencies: ["CLinux", "CLibAV", "Platform", "Media", "Imaging"]),
    .target(name: "ImagePicker", dependencies: ["Media"]),
    .target(
      name: "PhotoLibrary",
      dependencies: ["CLinux", "CNettle", "CSQLite", "CArchive", "Platform", "Media", "Imaging"]),
    .target(
      name: "KioskServer",
      dependencies: [
        "CLinux", "CMicroHTTPD", "Platform", "Media", "Capture", "ImagePicker", "PhotoLibrary",
      ],
      exclude: ["Page"], plugins: ["EmbedPage"]),
    .target(
      name: "StationConfiguration",
      dependencies: [
        "CTOML", "Platform", "Media", "Capture", "Imaging", "Trigger", "Movies", "ImagePicker",
        "PhotoLibrary", "KioskServer",
      ]),
    .target(
      name: "Station",
      dependencies: [
        "CLinux", "Platform", "Media", "Capture", "DemoCamera", "Imaging", "Shots", "Trigger",
        "Movies", "ImagePicker", "PhotoLibrary", "KioskServer", "StationConfiguration",
      ]),
    .target(
      name: "StationTools",
      dependencies: [
        "CLinux", "Platform", "Media", "Capture", "DemoCamera", "Imaging", "Shots", "Trigger",
        "Movies", "ImagePicker", "PhotoLibrary", "KioskServer", "StationConfiguration", "Station",
      ]),
    .executableTarget(
      name: "retake",
      dependencies: [
        "CLinux", "Platform", "Media", "Trigger", "ImagePicker", "PhotoLibrary", "Station",
        "StationTools",
      ]),

    .target(
      name: "StationTestSupport",
      dependencies: [
        "CLinux", "CVideo4Linux", "CTurboJPEG", "Platform", "Media", "Capture", "Trigger",
      ],
      path: "Tests/Support/StationTestSupport"),
    // Replaces malloc in each program that links it.
    .target(name: "CAllocationCounter", path: "Tests/Support/CAllocationCounter"),
    .target(
      name: "FuzzTargets",
      dependencies: ["Platform", "Media", "Capture", "Imaging", "Station", "StationTestSupport"],
      path: "Tests/Fuzz/Targets"),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay"),
    .testTarget(
      name: "PlatformTests", dependencies: ["CLinux", "Platform", "StationTestSupport"]),
    .testTarget(name: "MediaTests", dependencies: ["CMedia", "Media", "StationTestSupport"]),
    .testTarget(
      name: "CaptureTests",
      dependencies: [
        "CLinux", "Platform", "Media", "Capture", "StationTestSupport", "CAllocationCounter",
      ]),
    .testTarget(
      name: "DemoCameraTests",
      dependencies: ["Platform", "Media", "Capture", "DemoCamera", "StationTestSupport"]),
    .testTarget(
      name: "ImagingTests",
      dependencies: ["CTurboJPEG", "CPNG", "Platform", "Media", "Imaging", "StationTestSupport"]),
    .testTarget(
      name: "ShotsTests",
      dependencies: [
        "Platform", "Media", "Capture", "Imaging", "Shots", "PhotoLibrary", "StationTestSupport",
      ]),
    .testTarget(
      name: "MoviesTests",
      dependencies: [
        "Platform", "Media", "Imaging", "Movies", "StationTestSupport", "CAllocationCounter",
      ]),
    .testTarget(
      name: "TriggerTests", dependencies: ["CLinux", "Platform", "Trigger", "StationTestSupport"]),
    .testTarget(name: "ImagePickerTests", dependencies: ["ImagePicker"]),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: ["CLinux", "Platform", "Media", "PhotoLibrary", "StationTestSupport"]),
    .testTarget(
      name: "KioskServerTests",
      dependencies: ["CMicroHTTPD", "Platform", "ImagePicker", "KioskServer"]),
    .testTarget(
      name: "StationConfigurationTests",
      dependencies: ["Platform", "Capture", "Trigger", "StationConfiguration"]),
    .testTarget(
      name: "StationTests",
      dependencies: [
        "Platform", "Media", "Capture", "Imaging", "Shots", "Trigger", "ImagePicker",
        "PhotoLibrary", "KioskServer", "Station", "StationTestSupport",
      ]),
    .testTarget(
      name: "StationToolsTests",
      dependencies: [
        "Platform", "Capture", "Trigger", "Movies", "ImagePicker", "Station", "StationTools",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11,
  cxxLanguageStandard: .cxx17
)

// A fuzz target needs libFuzzer's main function: scripts/campaigns/fuzz builds these. Each program of
// such a build gets that function, so the one that embeds the page is built and run before.
if Context.environment["RETAKE_FUZZ"] != nil {
  package.targets.removeAll { $0.name == "embed-page" }
  for plugin in package.targets where plugin.name == "EmbedPage" { plugin.dependencies = [] }
  for part in ["configuration", "gate", "headers", "negotiation", "pictures"] {
    let name = "fuzz-\(part)"
    package.targets.append(
      .executableTarget(
        name: name, dependencies: ["FuzzTargets"], path: "Tests/Fuzz/\(name)",
        swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
  }
}

// The executable for the measurements of scripts/bench inside a process.
if Context.environment["RETAKE_BENCHMARKS"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "retake-bench", dependencies: ["CTurboJPEG", "Platform", "Media", "Imaging"],
      path: "Tests/Benchmarks/retake-bench"))
}
