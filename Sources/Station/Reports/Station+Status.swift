import Capture
import PhotoLibrary
import Platform

extension Station {
  /// The present status of the station.
  public var status: StationStatus {
    let (place, open) = (library.current, library.open)
    let page = page.current
    let view = core.view.current
    let (source, settings) = (camera.current, settings.current)
    let counts = source.camera?.counts ?? CameraCounts()
    let state = source.camera?.state ?? .stopped
    var library = StationStatus.Library(
      path: open.library?.path ?? configuration.libraryPath, state: place.storage.state,
      fix: place.storage.reason?.problem?.fix, copies: open.keeper?.copies ?? [])
    library.freeBytes = place.storage.free
    library.picturesOmitted = place.browser?.omitted ?? 0
    return StationStatus(
      state: view.snapshot?.state.name.rawValue ?? "starting",
      session: view.snapshot?.session?.rawValue,
      deadlineNanoseconds: view.snapshot?.deadline?.nanoseconds,
      frames: FrameReport(view.snapshot?.state),
      camera: .init(
        name: source.name, state: state.name,
        words: state.description, holder: state.holder, mode: source.camera?.granted?.description,
        observedRate: source.camera?.observedRate.map { ($0 * 10).rounded() / 10 },
        lacksLight: source.camera?.lacksLight ?? false,
        twins: source.camera?.identity?.twins ?? [],
        framesPublished: counts.published, framesDamaged: counts.damaged,
        framesDamagedByReason: counts.damageByReason, decoderFaults: counts.decoderFaults,
        faultsShown: counts.faultsShown,
        framesDropped: counts.dropped, framesCopied: counts.framesCopied,
        bytesCopied: counts.bytesCopied),
      library: library,
      access: access, photos: view.tally.photos, lastPhoto: view.tally.last,
      lastRefusal: view.refusal?.operatorMessage,
      deltas: view.tally.deltas, movies: movies.status, panel: panel.report,
      configurationProblem: settings.problem,
      refusedConfiguration: settings.refused, silentDisks: media.silent,
      page: page.report,
      service: serviceReport)
  }
}
