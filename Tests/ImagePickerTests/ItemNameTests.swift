import Testing

@testable import ImagePicker

@Suite("Names of a library's items") struct ItemNameTests {
  @Test("are told apart by their bytes")
  func bytes() {
    let (one, two) = (ItemID(rawValue: "\u{E9}.jpg"), ItemID(rawValue: "e\u{301}.jpg"))
    #expect(one != two)
    #expect(one == ItemID(rawValue: "\u{E9}.jpg"))
    #expect(Set([one, two, "\u{E9}.jpg"]).count == 2)
  }
}
