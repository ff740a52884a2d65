/// How far the photos' frames were from their moments, since the start.
public struct DeltaHistogram: Equatable, Sendable, Encodable {
  /// One step of it.
  public struct Bucket: Equatable, Sendable, Encodable {
    /// The largest distance that counts here; nil: any.
    public var upToMilliseconds: Double?
    /// Photos whose distance is above the step before and not above this one.
    public var photos: Int
  }

  /// Half a frame and whole frames of 60 and 30 frames a second are edges.
  private static let edges: [Double] = [1, 2, 4, 8.4, 16.7, 33.4, 66.7, 133.4, 250]

  /// From near to far.
  public private(set) var buckets: [Bucket]
  /// The largest distance so far.
  public private(set) var maximumMilliseconds: Double = 0

  /// Makes one of no photos.
  public init() {
    buckets =
      DeltaHistogram.edges.map { Bucket(upToMilliseconds: $0, photos: 0) } + [
        Bucket(upToMilliseconds: nil, photos: 0)
      ]
  }

  /// Counts one photo.
  public mutating func add(_ deltaMilliseconds: Double) {
    let distance = deltaMilliseconds.magnitude
    maximumMilliseconds = max(maximumMilliseconds, distance)
    let index = DeltaHistogram.edges.firstIndex { distance <= $0 } ?? DeltaHistogram.edges.count
    buckets[index].photos += 1
  }
}
