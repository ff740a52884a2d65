/// The distances of photos from their moments since the start, as a histogram.
public struct DeltaHistogram: Equatable, Sendable, Encodable {
  /// A step of the histogram.
  public struct Bucket: Equatable, Sendable, Encodable {
    /// The largest distance in this step, or `nil` for the last step.
    public var upToMilliseconds: Double?
    /// The number of photos in this step, which excludes the upper limit of the previous step.
    public var photos: Int
  }

  /// The edges include half a frame and whole frames at 60 and at 30 frames per second.
  private static let edges: [Double] = [1, 2, 4, 8.4, 16.7, 33.4, 66.7, 133.4, 250]

  /// The steps, the smallest distances first.
  public private(set) var buckets: [Bucket]
  /// The largest distance since the start.
  public private(set) var maximumMilliseconds: Double = 0

  /// Creates a histogram without photos.
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
