import Imaging
import Media
import Testing

@Suite struct StillGeometryTests {
  @Test("the default is an upright portrait from the middle")
  func theDefaultIsAnUprightPortraitFromTheMiddle() {
    let geometry = StillGeometry(Orientation(), frame: PixelSize(width: 1280, height: 720))
    #expect(geometry.size == PixelSize(width: 540, height: 720))
    #expect(geometry.crop == PixelRect(x: 370, y: 0, width: 540, height: 720))
    #expect(!geometry.isMirrored && geometry.isPreviewMirrored)
    #expect(geometry.matrix(mirrored: false) == [1, 0, 0, 1, -370, 0])
    #expect(geometry.previewMatrix == [-1, 0, 0, 1, 910, 0])
  }

  @Test("a turned mount needs no crop") func aTurnedMountNeedsNoCrop() {
    let geometry = StillGeometry(
      Orientation(mount: .clockwise), frame: PixelSize(width: 1920, height: 1080),
      unit: PixelSize(width: 16, height: 16), freedom: .coded)
    #expect(geometry.turns == 1)
    #expect(geometry.size == PixelSize(width: 1072, height: 1920))
    #expect(geometry.trimmed == PixelSize(width: 0, height: 8))
  }

  @Test("the preview differs from the still by the mirror only")
  func thePreviewDiffersFromTheStillByTheMirrorOnly() {
    let frame = PixelSize(width: 640, height: 480)
    for row in StillTableTests.rows {
      for mirror in Orientation.Mirror.allCases {
        var orientation = row.orientation
        orientation.mirror = mirror
        let geometry = StillGeometry(
          orientation, frame: frame, unit: PixelSize(width: 16, height: 8), freedom: .coded)
        let still = geometry.matrix(mirrored: geometry.isMirrored)
        var preview = geometry.previewMatrix
        if geometry.isMirrored != geometry.isPreviewMirrored {
          // x' becomes width - x'.
          (preview[0], preview[2]) = (-preview[0], -preview[2])
          preview[4] = geometry.size.width - preview[4]
        }
        #expect(preview == still)
        #expect(geometry.crop.x >= 0 && geometry.crop.x + geometry.crop.size.width <= 640)
        #expect(geometry.crop.y >= 0 && geometry.crop.y + geometry.crop.size.height <= 480)
      }
    }
  }
}
