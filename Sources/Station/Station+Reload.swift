import Imaging
import PhotoLibrary
import Trigger

extension Station {
  /// Reads the configuration again; what is wrong with it is the answer, and the old one stays.
  func reload(_ reply: @escaping @Sendable (TriggerReply) -> Void) {
    guard let read = options.reload else {
      return reply(TriggerReply(isAccepted: false, text: "there is no file to read again"))
    }
    // Reading may block.
    worker.submit { [self] in
      do throws(ConfigurationError) {
        let next = try read()
        let needsStart = next.socketPath != configuration.socketPath
        parts.withLock { $0.nextConfiguration = next }
        core.perform { core in
          if case .idle = core.machine.state { self.applyNextConfiguration() }
        }
        log.notice("the configuration was read again")
        reply(
          TriggerReply(
            isAccepted: true,
            text: "read again, in use from the next session on"
              + (needsStart ? "; 'socket.path' from the next start on" : "")))
      } catch {
        log.error("the configuration stays as it was: \(error)")
        reply(TriggerReply(isAccepted: false, text: "the configuration stays as it was: \(error)"))
      }
    }
  }

  /// Brings what was read again into use; on the loop, between sessions.
  func applyNextConfiguration() {
    let change = parts.withLock { parts -> (old: Configuration, new: Configuration)? in
      guard let next = parts.nextConfiguration, !parts.isStopping else { return nil }
      parts.nextConfiguration = nil
      defer { parts.configuration = next }
      return (parts.configuration, next)
    }
    guard let (old, new) = change else { return }
    core.assumeIsolated { $0.reconfigure(.init(new)) }
    store.use(new.orientation)
    movies.use(new)
    let changesLibrary = LibraryChoice(old) != LibraryChoice(new)
    let changesCamera =
      old.camera != new.camera || old.cameras != new.cameras || old.fallback != new.fallback
    let changesPanel = old.buttons != new.buttons || old.lamps != new.lamps
    guard changesLibrary || changesCamera || changesPanel else { return }
    Task { [self] in
      do throws(StationError) {
        if changesPanel { await openPanel() }
        if changesLibrary { try await openLibrary() }
        if changesCamera { try await reopenCamera() }
      } catch {
        log.error("the new configuration cannot be used: \(error.message)")
      }
    }
  }

  private struct LibraryChoice: Equatable {
    var path: String
    var album: String
    var reserve: Int64?
    var allowsVolatile: Bool
    var keeping: LibraryKeeping
    var browsing: BrowserConfiguration

    init(_ configuration: Configuration) {
      path = configuration.libraryPath
      album = configuration.album
      reserve = configuration.reserve
      allowsVolatile = configuration.allowsVolatile
      keeping = LibraryKeeping(configuration)
      browsing = BrowserConfiguration(configuration)
    }
  }
}
