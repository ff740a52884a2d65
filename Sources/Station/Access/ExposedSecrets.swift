import Glibc
import Platform
import StationConfiguration

/// Secrets in a configuration file that every user of the machine can read.
package struct ExposedSecrets: Equatable, Sendable {
  private static let keys = ["web.token", "web.pin"]

  /// The names of the exposed keys, as in `'web.token' and 'web.pin'`.
  package var what: String
  /// The path of the configuration file.
  package var file: String
  /// The owner, the group and the mode of the file.
  package var owner: String
  /// The command that takes the file's read permission from other users.
  package var fix: String

  /// Checks the file that the configuration's secrets came from; `nil` when other users cannot read
  /// it.
  ///
  /// - Parameters:
  ///   - configuration: The configuration that was read.
  ///   - user: The user that runs the station and must still be able to read the file.
  ///   - group: The primary group of the user.
  ///   - look: Returns the owner, the group and the mode of a file.
  package init?(
    _ configuration: Configuration, user: String, group: String,
    look: (String) -> FileOwner?
  ) {
    var names: [String] = []
    var file: String?
    for key in ExposedSecrets.keys {
      guard case .file(let path, _)? = configuration.origins[key] else { continue }
      names.append("'\(key)'")
      file = path
    }
    // An empty value in the file leaves the secret unset.
    guard let file, configuration.web.token != nil || configuration.web.pin != nil,
      let owner = look(file), owner.mode & 0o004 != 0
    else { return nil }
    self.file = file
    self.owner = "\(owner)"
    what = names.joined(separator: " and ")
    switch (owner.user, user) {
    case (user, "root"): fix = "sudo chmod 600 \(file)"
    case (user, _): fix = "chmod 600 \(file)"
    case (_, "root"): fix = "sudo chmod o= \(file)"
    default: fix = "sudo chgrp \(group) \(file) && sudo chmod 640 \(file)"
    }
  }

  /// The exposure in words.
  var words: String { "\(what) in \(file) can be read by every user of this machine (\(owner))" }
}

extension ExposedSecrets {
  /// Checks the file as the user that runs the program.
  static func ofThisProgram(_ configuration: Configuration) -> ExposedSecrets? {
    ExposedSecrets(
      configuration, user: currentUser(), group: Ownership.group(getegid())
    ) { path in
      Ownership(path, wanted: 0).map { FileOwner(user: $0.owner, group: $0.group, mode: $0.mode) }
    }
  }
}
