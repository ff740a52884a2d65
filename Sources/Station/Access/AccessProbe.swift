import CLinux
import Glibc
import ImagePicker
import PhotoLibrary
import Platform
import StationConfiguration

/// Probes the program's permissions by opening devices and directories as the current user.
///
/// An absent device gives the answer `notDetermined`, and a busy device `authorized`, since neither
/// is a question of permission. All functions block.
package struct AccessProbe: Sendable {
  /// The kinds of devices.
  package enum Kind: Sendable {
    case camera, gpio, input

    var what: String {
      switch self {
      case .camera: "the camera"
      case .gpio: "the GPIO chip"
      case .input: "the input device"
      }
    }

    /// The directory in which the kernel lists these devices, whatever the program can see in
    /// `/dev`.
    var list: String {
      switch self {
      case .camera: "/sys/class/video4linux"
      case .gpio: "/sys/bus/gpio/devices"
      case .input: "/sys/class/input"
      }
    }

    /// The name of these devices in a unit's `DeviceAllow`.
    var unit: String {
      switch self {
      case .camera: "char-video4linux"
      case .gpio: "char-gpiochip"
      case .input: "char-input"
      }
    }

    var prefix: String {
      switch self {
      case .camera: "video"
      case .gpio: "gpiochip"
      case .input: "event"
      }
    }

    var folder: String { self == .input ? "/input" : "" }
  }

  /// The directory of the device nodes; tests set another one.
  var devices = "/dev"
  var system: any SystemCalls = LinuxSystemCalls()

  package init() {}

  // MARK: Resources

  /// Returns the permission for the camera named `label`.
  func camera(_ label: String, _ configuration: Configuration) -> Access {
    let device = configuration.camera(named: label).device ?? label
    if device == "demo" { return Access(.authorized) }
    if device == Configuration.Camera.off {
      return Access(
        .restricted,
        AccessProblem(
          subject: "the station", object: "the camera",
          cause: "it is switched off in the configuration",
          fix: "set another 'camera.device' than \"\(Configuration.Camera.off)\""))
    }
    if device.hasPrefix("clip:") { return file(String(device.dropFirst(5))) }
    if device.hasPrefix("/") { return self.device(device, .camera) ?? .unknown }
    let byName = "\(devices)/v4l/by-id/\(device)"
    if !device.contains("/"), system.exists(byName) {
      return self.device(byName, .camera) ?? .unknown
    }
    return anyDevice(.camera)
  }

  /// Returns the permission for the chips and devices of the configured buttons and lamps.
  func panel(_ configuration: Configuration) -> Access {
    let buttons = configuration.buttons.values
    var answers: [Access] = []
    if buttons.contains(where: { $0.device == nil }) || !configuration.lamps.isEmpty {
      answers.append(anyDevice(.gpio))
    }
    if buttons.contains(where: { $0.device != nil }) { answers.append(anyDevice(.input)) }
    return answers.first { $0.problem != nil } ?? answers.first ?? .unknown
  }

  /// Returns the permission for the album's directory.
  ///
  /// The status is `limited` when the configuration shows only some albums.
  func library(_ configuration: Configuration) -> Access {
    let album = "\(configuration.libraryPath)/\(configuration.album)"
    var answer = directory(album)
    // An album that does not exist yet is created by the first photo.
    if answer == .unknown { answer = directory(configuration.libraryPath) }
    if answer.status == .authorized, configuration.shownAlbums != nil { answer.status = .limited }
    return answer
  }

  // MARK: Devices

  /// Returns the best answer of all devices of a kind.
  private func anyDevice(_ kind: Kind) -> Access {
    let folder = devices + kind.folder
    let names = ((try? system.entries(folder).get()) ?? []).filter { name in
      name.hasPrefix(kind.prefix) && name.dropFirst(kind.prefix.count).allSatisfy(\.isNumber)
    }
    let answers = names.sorted().compactMap { device("\(folder)/\($0)", kind) }
    if let good = answers.first(where: { $0.status == .authorized }) { return good }
    if let bad = answers.first { return bad }
    let known = ((try? system.entries(kind.list).get()) ?? []).filter {
      $0.hasPrefix(kind.prefix)
    }
    guard devices == "/dev", let first = known.first else { return .unknown }
    return hidden("\(folder)/\(first)", kind)
  }

  /// Returns the permission for a device node, or `nil` when there is no such device.
  package func device(_ path: String, _ kind: Kind) -> Access? {
    let fd = system.retrying { $0.open(path, O_RDWR | O_NONBLOCK, 0) }
    if fd >= 0 {
      _ = system.close(fd)
      return Access(.authorized)
    }
    switch 0 - fd {
    case EBUSY: return Access(.authorized)
    case EACCES, EPERM: return refused(path, kind)
    default:
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let isKnown = fd == -ENOENT && system.exists("\(kind.list)/\(name)")
      return isKnown ? hidden(path, kind) : nil
    }
  }

  private func refused(_ path: String, _ kind: Kind) -> Access {
    let what = "\(kind.what) \(path)"
    guard let owner = Ownership(path, wanted: 6, system) else { return closed(path, what) }
    guard !owner.isAllowed else {
      // The file's mode permits the user, so the sandbox is the one that refuses.
      return hidden(path, kind)
    }
    let user = currentUser()
    let fix: String
    if owner.isOwn || owner.isInGroup {
      // The group is right, but the mode was changed; plugging the device in again restores it.
      fix = "sudo chmod 660 \(path), or plug it in again"
    } else if !owner.isGroupAllowed || owner.group == "root" {
      fix = "give the node a group that may use it, by a udev rule with GROUP and MODE=\"0660\""
    } else if AccessProbe.isService {
      fix =
        "add SupplementaryGroups=\(owner.group) to the service (sudo systemctl edit retake), "
        + "and restart it"
    } else {
      fix = "sudo usermod -aG \(owner.group) \(user), then log in again"
    }
    return Access(
      .denied,
      AccessProblem(
        subject: user, object: what,
        cause: "permission is denied: it belongs to \(owner.words), and \(user) "
          + (owner.isOwn || owner.isInGroup ? "may not read and write it" : "is not among those"),
        fix: fix))
  }

  private func hidden(_ path: String, _ kind: Kind) -> Access {
    Access(
      .restricted,
      AccessProblem(
        subject: currentUser(), object: "\(kind.what) \(path)",
        cause: "the service's sandbox, or the container, hides it",
        fix: "add DeviceAllow=\(kind.unit) rw and PrivateDevices=no to the service "
          + "(sudo systemctl edit retake), and restart it"))
  }

  // MARK: Files

  private func file(_ path: String) -> Access {
    // `O_NONBLOCK` keeps the call from waiting when the path is a pipe.
    let fd = system.retrying { $0.open(path, O_RDONLY | O_NONBLOCK, 0) }
    if fd >= 0 {
      _ = system.close(fd)
      return Access(.authorized)
    }
    guard fd == -EACCES || fd == -EPERM else { return .unknown }
    return closed(path, "the clip \(path)")
  }

  /// Returns the permission to read and write a directory.
  func directory(_ path: String) -> Access {
    let what = AccessProbe.library(path)
    // The owner of the mount point's own directory does not matter while the disk is unmounted.
    if let place = MountTable().missing(for: path) {
      return Access(
        .restricted,
        AccessProblem(
          subject: currentUser(), object: what, cause: "its disk is not mounted at \(place)",
          fix: "sudo mount \(place)"))
    }
    // A file in place of the directory is not a question of permission.
    let fd = system.retrying { $0.open(path, clinux_o_path | clinux_o_directory, 0) }
    guard fd >= 0 else {
      return fd == -EACCES || fd == -EPERM ? closed(path, what) : .unknown
    }
    defer { _ = system.close(fd) }
    let mayRead = system.access(fd, R_OK | X_OK)
    guard mayRead >= 0 else {
      return mayRead == -EACCES || mayRead == -EPERM ? closed(path, what) : .unknown
    }
    switch system.access(fd, W_OK) {
    case 0...: return Access(.authorized)
    case -EROFS: return readOnly(path, what)
    case -EACCES, -EPERM: return closed(path, what)
    default: return .unknown
    }
  }

  /// Returns the problem of the first directory on the path that keeps the user out.
  private func closed(_ path: String, _ what: String) -> Access {
    let user = currentUser()
    var walked = ""
    let parts = path.split(separator: "/")
    for (index, part) in parts.enumerated() {
      walked += "/\(part)"
      let isLast = index == parts.count - 1
      guard let owner = Ownership(walked, wanted: isLast ? 7 : 1, system), !owner.isAllowed
      else { continue }
      if AccessProbe.isService, AccessProbe.homes.contains(walked) {
        return Access(
          .restricted,
          AccessProblem(
            subject: user, object: what, cause: "the service's sandbox hides \(walked)",
            fix: "sudo systemctl edit retake, add the lines '[Service]', 'ProtectHome=no' and "
              + "'ReadWritePaths=\(path)', then: sudo systemctl restart retake"))
      }
      return Access(
        .denied,
        AccessProblem(
          closed: walked, to: user, owner.words, isOnTheWay: !isLast, isOwn: owner.isOwn,
          object: what))
    }
    return Access(
      .denied,
      AccessProblem(
        subject: user, object: what, cause: "permission is denied",
        fix: "let \(user) in, or set another path"))
  }

  private func mount(of path: String) -> Mount? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return Mount.holding(String(cString: resolved))
  }

  private func readOnly(_ path: String, _ what: String) -> Access {
    let mount = mount(of: path)
    if let mount, mount.isReadOnlyHere {
      return Access(
        .restricted,
        AccessProblem(
          subject: currentUser(), object: what,
          cause: "\(mount.path) is mounted read-only for this program: it is outside the sandbox's "
            + "writable paths, or a read-only bind mount",
          fix:
            "add ReadWritePaths=\(path) to the service (sudo systemctl edit retake), and restart "
            + "it"))
    }
    let place = mount?.path ?? path
    return Access(
      .restricted,
      AccessProblem(
        subject: currentUser(), object: what, cause: "the file system at \(place) is read-only",
        fix: "sudo mount -o remount,rw \(place); if it became read-only by itself the card is "
          + "failing, and dmesg says so"))
  }

  /// Returns the description of a library in messages.
  package static func library(_ path: String) -> String { "the library \(path)" }

  /// The directories that `ProtectHome=` hides from a service.
  package static let homes = ["/home", "/root", "/run/user"]

  /// Whether systemd started the program.
  static var isService: Bool { getenv("INVOCATION_ID") != nil }
}

extension AccessProblem {
  /// Creates the problem of a file or directory that keeps `user` out of `object`.
  ///
  /// `isOwn` tells that the file or directory belongs to `user`.
  package init(
    closed path: String, to user: String, _ owner: String, isOnTheWay: Bool = false,
    isOwn: Bool = false, object: String
  ) {
    let fix =
      switch (isOnTheWay, isOwn) {
      case (true, true): "sudo chmod u+x \(path)"
      case (true, false): "sudo chmod o+x \(path)"
      case (false, true): "sudo chmod u+rwx \(path)"
      case (false, false): "sudo chown -R \(user): \(path)"
      }
    self.init(
      subject: user, object: object,
      cause: "permission is denied: \(path) belongs to \(owner), and \(user) may not "
        + (isOnTheWay ? "go through it" : "read and write it"),
      fix: fix)
  }
}
