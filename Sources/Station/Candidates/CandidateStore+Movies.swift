import ImagePicker
import PhotoLibrary
import Platform

// Movies, and the photos that were taken during their recording.
extension CandidateStore {
  /// Takes over a complete movie file, syncs it and keeps it until the guest decides.
  nonisolated func adopt(
    _ candidate: CandidateID, _ recording: Recording, bytes: Int, report: PhotoReport,
    in library: PhotoLibrary
  ) {
    perform { store in
      guard !store.isDiscarded(candidate) else { return }
      let file: Result<Candidate, LibraryError>
      do throws(LibraryError) {
        file = .success(try library.prepare(recording, bytes: bytes))
      } catch {
        store.log.error("the movie cannot be written: \(error.operatorMessage)")
        file = .failure(error)
      }
      store.movies.add(.init(report: report, file: file), of: candidate)
    }
  }

  nonisolated func addStill(
    _ exposure: Exposure, in studio: Studio,
    answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    perform { store in
      do throws(PickerReason) {
        let made = try store.still(of: exposure, studio)
        guard let library = studio.library else { throw PickerReason(.storageUnavailable) }
        let still = PreparedMovies.Piece(
          report: made.report, file: store.write(made.choice.still, library))
        if let dropped = store.movies.addStill(still, of: exposure.candidate) {
          store.log.notice(
            "a movie has \(PreparedMovies.maxStills) photos at most: the oldest is let go")
          if case .success(let file) = dropped.file { library.discard(file) }
        }
        answer(.success(()))
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// Commits the movie before its photos, so that a photo that cannot be saved does not cost the
  /// movie.
  func save(
    _ whole: PreparedMovies.Whole, _ library: PhotoLibrary, _ studio: Studio,
    _ answer: (Result<Picked, PickerReason>) -> Void
  ) {
    do throws(LibraryError) {
      var report = whole.movie.report
      let photo = try library.commit(try whole.movie.file.get())
      report.path = photo.path
      var saved = [(photo, Checksum?.none)]
      var shown: [PhotoReport] = []
      for still in whole.stills {
        do throws(LibraryError) {
          let file = try still.file.get()
          let photo = try library.commit(file)
          var report = still.report
          report.path = photo.path
          saved.append((photo, file.checksum))
          shown.append(report)
        } catch {
          log.error("a photo beside the movie was not saved: \(error.operatorMessage)")
        }
      }
      studio.browser?.noteChange()
      answer(.success(Picked(movie: report, stills: shown)))
      for (photo, checksum) in saved { studio.keeper?.saved(photo, checksum: checksum) }
    } catch {
      for still in whole.stills {
        if case .success(let file) = still.file { library.discard(file) }
      }
      answer(.failure(PickerReason(error)))
    }
  }
}
