import Testing

@testable import Station
@testable import StationTools

@Suite("The status for people") struct StatusTextTests {
  @Test("has a line for each part, and fixes behind an arrow")
  func lines() throws {
    let json = """
      {"state":"reviewing","session":3,"photos":2,"lastPhoto":{"path":"/p/1.jpg"},
      "camera":{"name":"Cam","words":"streaming","mode":"1280x720 MJPG"},
      "library":{"path":"/p","state":"full","fix":"delete some","copies":[
      {"path":"/media/a","state":"absent"}]},
      "panel":{"buttons":[{"name":"one","place":"GPIO17","state":"armed","presses":1},
      {"name":"two","place":"GPIO5","state":"waiting","problem":"used by x"}],
      "lamps":[{"name":"ready","place":"GPIO23","isLit":true}]},
      "access":{"camera":{"status":"denied","who":"retake","what":"it","why":"no","fix":"do"}},
      "movies":{"codec":"copy","isRecording":false},"page":{"address":"127.0.0.1:8080"},
      "silentDisks":[{"path":"/media/b","milliseconds":21500,"threads":1}],
      "refusedConfiguration":"f:1:1: wrong","lastRefusal":"no room"}
      """
    #expect(
      try #require(StatusText(json: json)).lines == [
        "state    reviewing, session 3", "camera   Cam: streaming, 1280x720 MJPG",
        "         retake cannot use it: no", "         -> do",
        "library  /p: full", "         -> delete some",
        "photos   2 since the start, the last is /p/1.jpg", "copies   /media/a: absent",
        "disk     /media/b: has not answered for 21 s",
        "         -> unplug it and plug it in again, or replace it; the kernel's log (dmesg) says "
          + "more",
        "button   one at GPIO17: ready, pressed once", "button   two at GPIO5: used by x",
        "lamp     ready at GPIO23: lit", "movies   copy", "page     http://127.0.0.1:8080/",
        "wrong    the new configuration was refused, the one before it is in use: f:1:1: wrong",
        "refused  no room",
      ])
  }

  @Test("of another version is still told, and what is none is not", arguments: ["{}", "rubbish"])
  func strange(json: String) {
    #expect((StatusText(json: json) == nil) == (json == "rubbish"))
  }
}
