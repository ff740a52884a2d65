import Capture
import ImagePicker
import PhotoLibrary
import Platform

// Movies whose files are whole, and the photos that were taken while they were recorded.
extension CandidateStore {
  /// Takes over a movie whose file is whole: syncs it, and keeps it until the guest has decided.
  func adopt(_ candidate: CandidateID, _ recording: Recording, bytes: Int, report: PhotoReport) {
    worker.submit { [self] in
      guard !isDiscarded(candidate), let library = work.withLock({ $0.library }) else { return }
      let file: Result<Candidate, LibraryError>
      do throws(LibraryError) {
        file = .success(try library.prepare(recording, bytes: bytes))
      } catch {
        log.error("the movie cannot be written: \(error)")
        file = .failure(error)
      }
      work.withLock { $0.movies[candidate] = PreparedMovie(report: report, file: file) }
    }
  }

  func addStill(
    _ exposure: Exposure, answer: @escaping @Sendable (Result<Void, PickerReason>) -> Void
  ) {
    worker.submit { [self] in
      do throws(PickerReason) {
        let made = try still(of: exposure)
        guard let library = work.withLock({ $0.library }) else {
          throw PickerReason(.storageUnavailable)
        }
        let prepared = PreparedStill(
          report: made.report, file: write(made.choice.still, library))
        let dropped = work.withLock {
          $0.movieStills[
            exposure.candidate, default: CappedList(most: CandidateStore.mostMovieStills)
          ].append(prepared)
        }
        if let dropped {
          log.notice(
            "a movie has \(CandidateStore.mostMovieStills) photos at most: the oldest is let go")
          if case .success(let file) = dropped.file { library.discard(file) }
        }
        answer(.success(()))
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// The movie first: a photo that cannot be saved does not cost it.
  func save(
    _ movie: PreparedMovie, of candidate: CandidateID, _ library: PhotoLibrary,
    _ keeper: LibraryKeeper?, _ answer: (Result<Picked, PickerReason>) -> Void
  ) {
    let stills = work.withLock { $0.movieStills.removeValue(forKey: candidate)?.elements } ?? []
    do throws(LibraryError) {
      var report = movie.report
      let photo = try library.commit(try movie.file.get())
      report.path = photo.path
      var saved = [(photo, Checksum?.none)]
      var shown: [PhotoReport] = []
      for still in stills {
        do throws(LibraryError) {
          let file = try still.file.get()
          let photo = try library.commit(file)
          var report = still.report
          report.path = photo.path
          saved.append((photo, file.checksum))
          shown.append(report)
        } catch {
          log.error("a photo beside the movie was not saved: \(error)")
        }
      }
      showSaved()
      answer(.success(Picked(movie: report, stills: shown)))
      for (photo, checksum) in saved { keeper?.saved(photo, checksum: checksum) }
    } catch {
      for still in stills {
        if case .success(let file) = still.file { library.discard(file) }
      }
      answer(.failure(PickerReason(error)))
    }
  }

  func dropMovie(_ candidate: CandidateID, _ library: PhotoLibrary?) {
    let (movie, stills) = work.withLock {
      ($0.movies.removeValue(forKey: candidate), $0.movieStills.removeValue(forKey: candidate))
    }
    let files = (stills?.elements ?? []).map(\.file) + (movie.map { [$0.file] } ?? [])
    for case .success(let file) in files { library?.discard(file) }
  }
}
