import FoundationEssentials
import Glibc
import ImagePicker
import Imaging
import Media
import PhotoLibrary
import Platform
import StationTestSupport
import Testing

@testable import Station

@Suite struct MemoryTests {
  @Test("the unit leaves room for all budgets at once, and says their sum")
  func unit() throws {
    let root = #filePath.dropLast("Tests/StationTests/MemoryTests.swift".count)
    let text = try String(contentsOfFile: root + "deploy/systemd/retake.service", encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    func bytes(_ key: String) throws -> Int {
      let value = try #require(lines.first { $0.hasPrefix("\(key)=") }).dropFirst(key.count + 1)
      let number = try #require(Int(value.dropLast()))
      return value.hasSuffix("G") ? number << 30 : number << 20
    }
    let (high, most) = (try bytes("MemoryHigh"), try bytes("MemoryMax"))
    #expect(MemoryBudget.service <= high)
    // The system has to have a chance to take memory back first.
    #expect(high + 128 << 20 <= most)
    #expect(text.contains("add up to \(MemoryBudget.service >> 20) MiB"))
    #expect(lines.contains { $0.hasPrefix("OOMScoreAdjust=-") })
  }

  @Test("a list with a bound lets the oldest go")
  func capped() {
    var list = CappedList<Int>(limit: 3)
    #expect([1, 2, 3].map { list.append($0) } == [nil, nil, nil])
    #expect(list.append(4) == 1)
    #expect(list.append(5) == 2)
    #expect(list.elements == [3, 4, 5])
  }

  @Test("all who look at a review share one copy, which goes with the last of them")
  func review() {
    let review = ReviewBytes()
    var made = 0
    func look(_ candidate: UInt64) -> WebBytes {
      review.bytes(of: CandidateID(rawValue: candidate), frame: nil) {
        made += 1
        return [UInt8](repeating: UInt8(candidate), count: 10)
      }
    }
    var answers = (0..<240).map { _ in look(1) }
    #expect(made == 1)
    #expect(answers.allSatisfy { $0 === answers[0] })
    let other = look(2)
    #expect(made == 2)
    #expect(Array(other.bytes) == [UInt8](repeating: 2, count: 10))
    #expect(Array(answers[0].bytes) == [UInt8](repeating: 1, count: 10))
    answers = []
    _ = look(1)
    #expect(made == 3)
  }

  // MARK: Chosen pictures

  /// A library with some pictures in it.
  private final class Shelf {
    let place: Place
    let browser: PhotoBrowser

    init(_ count: Int) throws {
      place = try Place()
      browser = PhotoBrowser(
        configuration: BrowserConfiguration(root: "\(place.path)/photos", album: "booth"))
      try FileManager.default.createDirectory(
        atPath: place.album, withIntermediateDirectories: true)
      for number in 1...count {
        try write(number, PixelSize(width: 480, height: 640))
      }
      browser.refresh()
    }

    func path(_ number: Int) -> String { "\(place.album)/IMG_0000000\(number).jpg" }

    func write(_ number: Int, _ size: PixelSize) throws {
      let picture = Data(SampleFrames.jpeg(size, seed: UInt64(number)))
      try picture.write(to: URL(fileURLWithPath: path(number)))
    }

    func collect(_ edit: PickerEdit?, keeping most: Int) throws -> [PickedMedia] {
      var collector = PhotoCollector(allowsMovies: false, keeping: most)
      let choices = browser.page().items.map {
        PickerChoice(item: ItemID(rawValue: $0.id), edit: edit)
      }
      return try collector.collect(choices, from: browser)
    }
  }

  @Test("chosen pictures are files until one is asked for, however many they are")
  func chosen() throws {
    let shelf = try Shelf(5)
    let media = try shelf.collect(nil, keeping: MemoryBudget.chosenPictures)
    #expect(media.count == 5)
    for one in media {
      let image = try #require(one.originalImage)
      #expect(image.bytesInMemory == 0)
      let url = try #require(one.imageURL)
      #expect(try image.load() == Data(contentsOf: url))
      let loaded = try image.load()
      #expect(image.jpegData == loaded)
      #expect(image.size == PixelSize(width: 480, height: 640))
    }
  }

  @Test("edits are kept within their budget, and made again beyond it, the same")
  func edits() throws {
    let shelf = try Shelf(4)
    let edit = PickerEdit(crop: .init(x: 16, y: 32, width: 320, height: 400), quarterTurns: 1)
    let kept = try shelf.collect(edit, keeping: .max).compactMap(\.editedImage)
    #expect(kept.count == 4)
    #expect(kept.allSatisfy { $0.bytesInMemory > 0 })
    let budget = kept[0].bytesInMemory + kept[1].bytesInMemory
    let some = try shelf.collect(edit, keeping: budget).compactMap(\.editedImage)
    let held = some.reduce(0) { $0 + $1.bytesInMemory }
    #expect(held > 0 && held <= budget)
    for (one, other) in zip(some, kept) {
      #expect(one.size == other.size)
      #expect(one.jpegData == other.jpegData)
    }
  }

  @Test("a picture that changed or went after it was chosen is an error when it is asked for")
  func changed() throws {
    let shelf = try Shelf(2)
    let media = try shelf.collect(nil, keeping: 0)
    for (one, number) in zip(media, [2, 1]) {
      #expect(one.imageURL?.path == shelf.path(number))
    }
    try shelf.write(2, PixelSize(width: 320, height: 240))
    unlink(shelf.path(1))
    for one in media {
      let image = try #require(one.originalImage)
      #expect(throws: (any Error).self) { try image.load() }
      #expect(image.jpegData.isEmpty)
    }
  }
}
