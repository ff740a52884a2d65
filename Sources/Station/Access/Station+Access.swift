import ImagePicker
import Platform
import StationConfiguration

extension Station {
  /// The permissions of the station, as last probed.
  ///
  /// Reading them opens no device.
  public var access: AccessReport { permissions.current }

  /// Probes the permission for `resource` again and stores the answer.
  public func probeAccess(
    to resource: ImagePickerController.Resource
  ) async -> Access {
    // The loop may have ended already.
    guard !life.isStopping else { return access[resource] }
    return await permissions.probe(resource)
  }

  /// Logs a warning when every user of the machine can read the configuration's secrets.
  ///
  /// Blocks while reading the mode of a file.
  func warnOfSecrets(_ configuration: Configuration) {
    guard let secrets = ExposedSecrets.ofThisProgram(configuration) else { return }
    log.warning("\(secrets.words); \(secrets.fix)")
  }
}

extension StationError {
  /// Returns the error in the words of the probed permission problem, if the probe found one.
  func explained(by access: Access) -> StationError {
    guard let problem = access.problem, code == .noPermission || code == .cannotSave else {
      return self
    }
    return StationError(
      access.status == .denied ? .noPermission : code, problem.message, fix: problem.fix,
      cause: problem)
  }
}
