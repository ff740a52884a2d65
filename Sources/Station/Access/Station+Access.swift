import ImagePicker
import Platform
import StationConfiguration

extension Station {
  /// Whether it may use what it needs, as last found out; opens nothing.
  public var access: AccessReport { permissions.current }

  /// Finds out again whether it may use `resource`, and notes it.
  public func probeAccess(
    to resource: ImagePickerController.Resource
  ) async -> Access {
    // Its loop may have ended already.
    guard !life.isStopping else { return access[resource] }
    return await permissions.probe(resource)
  }

  /// Says so where secrets of the configuration are open to everybody; it reads a file's mode.
  func warnOfSecrets(_ configuration: Configuration) {
    guard let secrets = ExposedSecrets.ofThisProgram(configuration) else { return }
    log.warning("\(secrets.words); \(secrets.fix)")
  }
}

extension StationError {
  /// The same, in the words of what was found out about the permissions.
  func explained(by access: Access) -> StationError {
    guard let problem = access.problem, code == .noPermission || code == .cannotSave else {
      return self
    }
    return StationError(
      access.status == .denied ? .noPermission : code, "\(problem)", cause: problem)
  }
}
