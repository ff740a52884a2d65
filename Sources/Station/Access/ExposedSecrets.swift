import Glibc
import Platform
import StationConfiguration

/// Secrets in a configuration file that every user of the machine can read.
package struct ExposedSecrets: Equatable, Sendable {
  private static let keys = ["web.token", "web.pin"]

  /// `'web.token' and 'web.pin'`.
  package var what: String
  /// The file.
  package var file: String
  /// To whom it belongs, and its mode.
  package var owner: String
  /// The command that closes it.
  package var fix: String

  /// Looks at the file that the configuration's secrets came from; nil: nobody else can read them.
  ///
  /// - Parameters:
  ///   - configuration: What was read.
  ///   - user: Who runs the station, and must be able to read it afterwards.
  ///   - group: That user's own group.
  ///   - look: Owner, group and mode of a file.
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
    // A secret that was set to nothing is none.
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

  /// What is wrong, in words.
  var words: String { "\(what) in \(file) can be read by every user of this machine (\(owner))" }
}

extension ExposedSecrets {
  /// Looks at the file as the user who runs the program.
  static func ofThisProgram(_ configuration: Configuration) -> ExposedSecrets? {
    ExposedSecrets(
      configuration, user: currentUser(), group: Ownership.group(getegid())
    ) { path in
      Ownership(path, wanted: 0).map { FileOwner(user: $0.owner, group: $0.group, mode: $0.mode) }
    }
  }
}
