import Platform

/// The way to start a program with libcamera's layer for V4L2 programs.
package enum CompatibilityLayer {
  /// Drivers whose nodes deliver raw sensor data, which libcamera turns into pictures.
  static let receivers: Set<String> = [
    "unicam", "rp1-cfe", "sun6i-csi", "imx7-csi", "mxc-isi", "qcom-camss", "ipu3-cio2", "isys",
  ]

  #if arch(arm64)
  private static let triplet = "aarch64-linux-gnu"
  #elseif arch(arm)
  private static let triplet = "arm-linux-gnueabihf"
  #else
  private static let triplet = "x86_64-linux-gnu"
  #endif

  // The first path is that of Debian 13 and Raspberry Pi OS, the second that of Debian 12.
  private static let places = [
    "/usr/libexec/\(triplet)/libcamera/v4l2-compat.so", "/usr/lib/\(triplet)/v4l2-compat.so",
  ]

  /// Returns the path of the installed layer, or nil if it is not installed.
  package static func path(system: any SystemCalls = LinuxSystemCalls()) -> String? {
    places.first { place in
      let file = system.retrying { $0.open(place, 0, 0) }
      guard file >= 0 else { return false }
      _ = system.close(file)
      return true
    }
  }

  /// Returns the advice for a bare receiver, with the commands.
  package static func advice(system: any SystemCalls = LinuxSystemCalls()) -> String {
    let found = path(system: system)
    let install = found == nil ? "install it with 'sudo apt install libcamera-v4l2', then " : ""
    let file = found ?? places[0]
    return "it is a CSI receiver, whose frames become pictures only through libcamera's layer for "
      + "V4L2: \(install)start with 'LD_PRELOAD=\(file) retake run', or give the service "
      + "'Environment=LD_PRELOAD=\(file)' with 'systemctl edit retake'"
  }
}
