// The calls are documented where they are required, in SystemCalls.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CLinux
import Glibc
import Platform

/// A scripted kernel for tests: cameras with the rules of V4L2, buffers in real memory, sysfs,
/// event descriptors, and a clock that moves only while a thread waits.
///
/// A test can make any call fail, and so each call in turn. The object may be used from any thread.
/// Waiting moves the clock at once, so a test steps the loop instead of running it on a thread.
public final class ScriptedKernel: SystemCalls, @unchecked Sendable {
  // Unchecked because all variables are accessed only under the lock.

  /// The clock.
  public let clock: ManualClock
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var nextDescriptor: Int32 = 100
  private var open: [Int32: File] = [:]
  private var mappings: [UnsafeMutableRawPointer: (ScriptedCamera, ScriptedCamera.Buffer, Int)] =
    [:]
  private var cameras: [String: ScriptedCamera] = [:]
  private var files: [String: [UInt8]] = [:]
  private var symlinks: [String: String] = [:]
  private var permissions: [String: Int32] = [:]
  private var agenda: [(MonotonicTime, @Sendable (ScriptedKernel) -> Void)] = []

  /// The number of calls.
  public private(set) var calls = 0
  /// The names of the calls, with their results, oldest first.
  public private(set) var trace: [String] = []
  /// A closure that may change the bytes of a successful answer to a request, or return an error to
  /// answer with instead.
  public var bend: (@Sendable (UInt, UnsafeMutableRawBufferPointer) -> Int32?)?
  private var plan: (@Sendable (Int, String) -> Int32?)?
  /// The number of waits without a timeout and without an event, which would hang a real thread.
  public private(set) var hangs = 0

  private enum File {
    case camera(ScriptedCamera, Int)
    case event(UInt64)
    case data([UInt8], Int)
    case watch([String], [(Int32, UInt32, String)])
  }

  /// Creates a kernel without a device.
  public init(clock: ManualClock = ManualClock()) {
    self.clock = clock
    lock = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body()
  }

  // MARK: The script

  /// Plugs a camera in as `/dev/videoN`, with its files in sysfs.
  public func plug(_ camera: ScriptedCamera, at number: Int) {
    locked {
      let node = "video\(number)"
      // The buffers of an earlier connection belong to another device.
      camera.instance += 1
      camera.stopStreaming()
      camera.buffers = []
      camera.owner = nil
      camera.isPlugged = true
      for index in camera.controls.indices {
        camera.controls[index].value = camera.controls[index].usual
      }
      cameras["/dev/\(node)"] = camera
      tell("/dev/\(node)", UInt32(IN_CREATE))
      let folder = "/sys/class/video4linux/\(node)"
      files["\(folder)/name"] = Array("\(camera.card)\n".utf8)
      files["\(folder)/index"] = Array("0\n".utf8)
      guard let usb = camera.usb else { return }
      files["\(folder)/device/../idVendor"] = Array("\(usb.vendor)\n".utf8)
      files["\(folder)/device/../idProduct"] = Array("\(usb.product)\n".utf8)
      if !usb.serial.isEmpty {
        files["\(folder)/device/../serial"] = Array("\(usb.serial)\n".utf8)
      }
    }
  }

  /// Unplugs a camera, whose open descriptors then return ENODEV.
  public func unplug(_ camera: ScriptedCamera) {
    locked {
      camera.isPlugged = false
      for (path, other) in cameras where other === camera {
        cameras[path] = nil
        let folder = "/sys/class/video4linux/\(path.dropFirst(5))/"
        for file in files.keys where file.hasPrefix(folder) { files[file] = nil }
      }
    }
  }

  /// Makes a file with that text; nil removes it.
  public func setFile(_ path: String, _ text: String?) {
    locked { files[path] = text.map { Array($0.utf8) } }
  }

  /// Makes a symbolic link.
  public func setLink(_ path: String, to target: String) {
    locked {
      symlinks[path] = target
      tell(path, UInt32(IN_CREATE))
    }
  }

  /// Makes `open` of a path fail with that error; nil makes it succeed again.
  ///
  /// A watch of the folder reports the changed attributes.
  public func setOpenError(_ path: String, _ errno: Int32?) {
    locked {
      permissions[path] = errno
      tell(path, UInt32(IN_ATTRIB))
    }
  }

  /// Runs an action when the clock reaches that time.
  public func at(_ time: MonotonicTime, _ action: @escaping @Sendable (ScriptedKernel) -> Void) {
    locked { agenda.append((time, action)) }
  }

  /// Makes calls fail by a `plan`, which gets the number of a call, from 1, and its name, and
  /// returns the error of the call.
  ///
  /// Counting starts again.
  public func failCalls(_ plan: (@Sendable (Int, String) -> Int32?)?) {
    locked {
      self.plan = plan
      calls = 0
      trace = []
    }
  }

  // MARK: What a test may look at

  /// The number of open descriptors.
  public var openDescriptors: Int { locked { open.count } }
  /// The number of mapped planes of buffers.
  public var mappedPlanes: Int { locked { mappings.count } }

  // Returns the error that the plan has for this call.
  private func enter(_ name: String) -> Int32? {
    calls += 1
    let error = plan?(calls, name)
    trace.append(error.map { "\(name) -> \($0)" } ?? name)
    return error
  }

  // Puts an event about a file into the queues of those that watch its folder.
  private func tell(_ path: String, _ mask: UInt32) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let (folder, name) = (String(path[..<slash]), String(path[slash...].dropFirst()))
    for (number, file) in open {
      guard case .watch(let folders, var events) = file,
        let index = folders.firstIndex(of: folder)
      else { continue }
      events.append((Int32(index + 1), mask, name))
      open[number] = .watch(folders, events)
    }
  }

  private func settle() {
    let now = clock.now
    while let index = agenda.indices.filter({ agenda[$0].0 <= now }).min(by: {
      agenda[$0].0 < agenda[$1].0
    }) {
      agenda.remove(at: index).1(self)
    }
    for file in open.values {
      if case .camera(let camera, let instance) = file, instance == camera.instance {
        camera.run(until: now) { self.unplug($0) }
      }
    }
  }

  private func add(_ file: File) -> Int32 {
    nextDescriptor += 1
    open[nextDescriptor] = file
    return nextDescriptor
  }

  private func resolve(_ path: String) -> String {
    var path = path
    for _ in 0..<8 {
      guard let target = symlinks[path] else { break }
      if target.hasPrefix("/") {
        path = target
      } else {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") {
          if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        path = "/" + parts.joined(separator: "/")
      }
    }
    return path
  }

  // MARK: Calls

  public func open(_ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    locked {
      if let error = enter("open") { return -error }
      settle()
      let path = resolve(path)
      if let error = permissions[path] { return -error }
      if let camera = cameras[path] { return add(.camera(camera, camera.instance)) }
      if let bytes = files[path] { return add(.data(bytes, 0)) }
      return -ENOENT
    }
  }

  public func openat(_ directory: Int32, _ path: String, _ flags: Int32, _ mode: UInt32) -> Int32 {
    -ENOSYS
  }

  public func close(_ fd: Int32) -> Int32 {
    locked {
      let error = enter("close")
      guard let file = open.removeValue(forKey: fd) else { return -EBADF }
      if case .camera(let camera, let instance) = file, instance == camera.instance {
        release(camera, fd)
      }
      // Linux releases the number even after an error.
      return error.map { -$0 } ?? 0
    }
  }

  // A mapping keeps the file open behind a closed descriptor.
  private func release(_ camera: ScriptedCamera, _ fd: Int32) {
    guard camera.owner == fd, !camera.buffers.contains(where: { $0.mapped.contains(true) }) else {
      return
    }
    camera.stopStreaming()
    camera.buffers = []
    camera.owner = nil
  }

  public func read(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    locked {
      if let error = enter("read") { return -Int(error) }
      switch open[fd] {
      case .event(let count):
        guard count > 0 else { return -Int(EAGAIN) }
        open[fd] = .event(0)
        withUnsafeBytes(of: count) { buffer.copyMemory(from: $0) }
        return 8
      case .data(let bytes, let position):
        let part = bytes.dropFirst(position).prefix(buffer.count)
        buffer.copyBytes(from: part)
        open[fd] = .data(bytes, position + part.count)
        return part.count
      case .watch(let folders, let events):
        guard !events.isEmpty else { return -Int(EAGAIN) }
        var bytes: [UInt8] = []
        for (number, mask, name) in events {
          let padded = Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count % 16)
          for word in [UInt32(bitPattern: number), mask, 0, UInt32(padded.count)] {
            withUnsafeBytes(of: word) { bytes += $0 }
          }
          bytes += padded
        }
        guard bytes.count <= buffer.count else { return -Int(EINVAL) }
        buffer.copyBytes(from: bytes)
        open[fd] = .watch(folders, [])
        return bytes.count
      case .camera: return -Int(EINVAL)
      case nil: return -Int(EBADF)
      }
    }
  }

  public func inotify() -> Int32 {
    locked { enter("inotify").map { -$0 } ?? add(.watch([], [])) }
  }

  public func watch(_ fd: Int32, _ path: String, _ mask: UInt32) -> Int32 {
    locked {
      if let error = enter("watch") { return -error }
      guard case .watch(var folders, let events) = open[fd] else { return -EBADF }
      guard path == "/dev" || symlinks.keys.contains(where: { $0.hasPrefix(path + "/") }) else {
        return -ENOENT
      }
      if let index = folders.firstIndex(of: path) { return Int32(index + 1) }
      folders.append(path)
      open[fd] = .watch(folders, events)
      return Int32(folders.count)
    }
  }

  public func pread(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
    locked {
      if let error = enter("pread") { return -Int(error) }
      guard case .data(let bytes, _) = open[fd] else { return -Int(EBADF) }
      let part = bytes.dropFirst(Int(offset)).prefix(buffer.count)
      buffer.copyBytes(from: part)
      return part.count
    }
  }

  public func write(_ fd: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
    locked {
      if let error = enter("write") { return -Int(error) }
      guard case .event(let count) = open[fd], buffer.count == 8 else { return -Int(EBADF) }
      open[fd] = .event(count + buffer.loadUnaligned(as: UInt64.self))
      return 8
    }
  }

  public func ioctl(_ fd: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    locked {
      let name = ScriptedCamera.name(of: request)
      if let error = enter(name) { return -error }
      settle()
      guard let file = open[fd] else { return -EBADF }
      guard case .camera(let camera, let instance) = file, let argument else { return -ENOTTY }
      guard instance == camera.instance else { return -ENODEV }
      let result = camera.perform(request, name, argument, fd, clock.now)
      guard result >= 0, let bend else { return result }
      // The size of the structure is part of a request's number.
      let answer = UnsafeMutableRawBufferPointer(
        start: argument, count: Int(request >> 16 & 0x3FFF))
      return bend(request, answer).map { -$0 } ?? result
    }
  }

  public func mmap(
    _ length: Int, _ protection: Int32, _ fd: Int32, _ offset: Int64
  ) -> Result<UnsafeMutableRawPointer, SystemError> {
    locked {
      func failure(_ errno: Int32) -> Result<UnsafeMutableRawPointer, SystemError> {
        .failure(SystemError(errno: errno, call: "mmap"))
      }
      if let error = enter("mmap") { return failure(error) }
      guard case .camera(let camera, let instance) = open[fd], instance == camera.instance else {
        return failure(EBADF)
      }
      let index = Int(offset >> 16)
      let plane = Int(offset >> 12 & 15)
      guard index < camera.buffers.count, plane < camera.buffers[index].planes.count,
        camera.buffers[index].planes[plane].count == length, length > 0
      else { return failure(EINVAL) }
      let buffer = camera.buffers[index]
      guard
        let address = Glibc.mmap(
          nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
        address != clinux_map_failed
      else { return failure(ENOMEM) }
      buffer.planes[plane] = UnsafeMutableRawBufferPointer(start: address, count: length)
      buffer.mapped[plane] = true
      mappings[address] = (camera, buffer, plane)
      return .success(address)
    }
  }

  public func munmap(_ address: UnsafeMutableRawPointer, _ length: Int) -> Int32 {
    locked {
      let error = enter("munmap")
      guard let (camera, buffer, plane) = mappings.removeValue(forKey: address) else {
        return -EINVAL
      }
      // The memory is really unmapped, so a later read crashes, as with a driver's buffer.
      Glibc.munmap(address, length)
      buffer.mapped[plane] = false
      buffer.planes[plane] = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      if let owner = camera.owner, open[owner] == nil { release(camera, owner) }
      return error.map { -$0 } ?? 0
    }
  }

  public func poll(_ fds: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    locked {
      if let error = enter("poll") { return -error }
      let deadline = timeout < 0 ? nil : clock.now + .milliseconds(Int(timeout))
      while true {
        settle()
        let count = look(fds)
        if count > 0 { return count }
        let moments =
          agenda.map(\.0)
          + fds.compactMap { fd -> MonotonicTime? in
            guard case .camera(let camera, let instance) = open[fd.fd],
              instance == camera.instance
            else { return nil }
            return camera.due
          }
        let event = moments.min()
        if let deadline, event.map({ $0 > deadline }) ?? true {
          clock.advance(to: deadline)
          return 0
        }
        guard let event else {
          hangs += 1
          return 0
        }
        clock.advance(to: event)
      }
    }
  }

  private func look(_ fds: UnsafeMutableBufferPointer<pollfd>) -> Int32 {
    var count: Int32 = 0
    for index in fds.indices where fds[index].fd >= 0 {
      var events: Int32 = 0
      switch open[fds[index].fd] {
      case .event(let count): events = count > 0 ? POLLIN : 0
      case .data: events = POLLIN
      case .watch(_, let waiting): events = waiting.isEmpty ? 0 : POLLIN
      case .camera(let camera, let instance):
        events = instance == camera.instance ? camera.readiness : POLLERR | POLLHUP | POLLPRI
      case nil: events = POLLNVAL
      }
      let wanted = Int32(fds[index].events) | POLLERR | POLLHUP | POLLNVAL
      fds[index].revents = Int16(truncatingIfNeeded: events & wanted)
      if fds[index].revents != 0 { count += 1 }
    }
    return count
  }

  public func eventfd() -> Int32 {
    locked { enter("eventfd").map { -$0 } ?? add(.event(0)) }
  }

  public func entries(_ path: String) -> Result<[String], SystemError> {
    locked {
      if let error = enter("opendir") {
        return .failure(SystemError(errno: error, call: "opendir", path: path))
      }
      settle()
      let prefix = path.hasSuffix("/") ? path : path + "/"
      var names: Set<String> = []
      for key in Array(cameras.keys) + Array(files.keys) + Array(symlinks.keys)
      where key.hasPrefix(prefix) {
        if let name = key.dropFirst(prefix.count).split(separator: "/").first {
          names.insert(String(name))
        }
      }
      guard !names.isEmpty || path == "/dev" else {
        return .failure(SystemError(errno: ENOENT, call: "opendir", path: path))
      }
      return .success(names.sorted())
    }
  }

  public func readlink(_ path: String) -> Result<String, SystemError> {
    locked {
      if let error = enter("readlink") {
        return .failure(SystemError(errno: error, call: "readlink", path: path))
      }
      guard let target = symlinks[path] else {
        return .failure(SystemError(errno: EINVAL, call: "readlink", path: path))
      }
      return .success(target)
    }
  }

  public func monotonicTime() -> MonotonicTime { clock.now }

  // MARK: Calls that no camera needs

  public func writev(_ fd: Int32, _ vectors: UnsafeBufferPointer<iovec>) -> Int { -Int(ENOSYS) }
  public func fsync(_ fd: Int32) -> Int32 { -ENOSYS }
  public func fdatasync(_ fd: Int32) -> Int32 { -ENOSYS }
  public func linkUnnamed(_ fd: Int32, _ directory: Int32, _ name: String) -> Int32 { -ENOSYS }
  public func renameNew(_ directory: Int32, _ from: String, _ to: String) -> Int32 { -ENOSYS }
  public func unlinkat(_ directory: Int32, _ name: String) -> Int32 { -ENOSYS }
  public func mkdirat(_ directory: Int32, _ name: String, _ mode: UInt32) -> Int32 { -ENOSYS }
  public func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>) -> Int32 { -ENOSYS }
  public func fstatfs(_ fd: Int32, _ status: UnsafeMutablePointer<statfs>) -> Int32 { -ENOSYS }
}
