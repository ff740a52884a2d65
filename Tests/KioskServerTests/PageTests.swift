import Glibc
import Platform
import Testing

@testable import KioskServer

@Suite("The page")
struct PageTests {
  /// Where the sources are.
  private static let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()

  private static func read(_ path: String) -> [UInt8]? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(number, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  @Test("what is built in is what the files say")
  func isCurrent() throws {
    #expect(!PageAssets.all.isEmpty)
    for asset in PageAssets.all {
      let path =
        asset.name.hasPrefix("..")
        ? "\(Self.root)/docs/openapi.yaml" : "\(Self.root)/Sources/KioskServer/Page/\(asset.name)"
      let file = try #require(Self.read(path), "\(path) is gone")
      let built = UnsafeBufferPointer(
        start: asset.text.utf8Start, count: asset.text.utf8CodeUnitCount)
      let isSame = file.elementsEqual(built)
      #expect(isSame, "\(asset.name) differs")
    }
    let names = try LinuxSystemCalls().entries("\(Self.root)/Sources/KioskServer/Page").get()
    for name in names where PageAsset.type(of: name) != nil {
      #expect(PageAssets.all.contains { $0.name == name }, "\(name) is not built in")
    }
  }

  @Test("everything that is built in is served")
  func served() async throws {
    let rig = try await ServerRig()
    for asset in PageAssets.all where !asset.name.hasPrefix("..") {
      let answer = await rig.get("/page/\(asset.name)?language=ko")
      #expect(answer.status == 200, "\(asset.name)")
      #expect(answer.body.count == asset.text.utf8CodeUnitCount)
    }
    #expect(await rig.get("/api/v1/openapi.yaml").headers["content-type"] == "application/yaml")
  }

  @Test("a directory's files come before those that are built in, and nothing leads out of it")
  func directory() async throws {
    var template = Array("/tmp/retake-page-XXXXXX".utf8CString)
    let made = mkdtemp(&template)
    let folder = try #require(made.map { String(cString: $0) })
    defer {
      for name in ["own.css", "secret.key", "link.txt", "etc", "pipe.txt", "languages/xx.json"] {
        unlink("\(folder)/\(name)")
      }
      rmdir("\(folder)/languages")
      rmdir(folder)
    }
    func write(_ name: String, _ text: String) {
      let number = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      _ = Glibc.write(number, text, text.utf8.count)
      close(number)
    }
    write("own.css", "p { color: red }")
    mkdir("\(folder)/languages", 0o755)
    write("languages/xx.json", "{}")
    write("secret.key", "secret")
    symlink("/etc/passwd", "\(folder)/link.txt")
    symlink("/etc", "\(folder)/etc")
    mkfifo("\(folder)/pipe.txt", 0o644)
    let rig = try await ServerRig { $0.directory = folder }
    let own = await rig.get("/page/own.css")
    #expect(own.text == "p { color: red }")
    #expect(own.headers["content-type"] == "text/css; charset=utf-8")
    #expect(await rig.get("/page/languages/xx.json").text == "{}")
    #expect(await rig.get("/").status == 200)
    for name in [
      "link.txt", "etc/passwd", "etc/hostname.txt", "secret.key", "pipe.txt", "none.css",
      "languages",
    ] {
      #expect(await rig.get("/page/\(name)").status == 404, "\(name)")
    }
  }
}

@Suite("Addresses")
struct AddressTests {
  @Test(
    "addresses are read strictly",
    arguments: [
      ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:80", "[::1]:80"), ("0.0.0.0:1", "0.0.0.0:1"),
      ("localhost:8080", "127.0.0.1:8080"), ("127.0.0.1", nil), ("127.0.0.1:", nil),
      ("127.0.0.1:65536", nil), ("127.0.0.1:-1", nil), ("127.0.0.1:+1", nil), ("::1:80", nil),
      ("[::1]", nil), ("example.org:80", nil), (":80", nil), ("", nil), ("[127.0.0.1]:80", nil),
    ] as [(String, String?)])
  func addresses(_ text: String, _ expected: String?) {
    #expect(KioskAddress(text)?.description == expected)
  }

  @Test("loopback is told from what others reach")
  func loopback() {
    for (text, isLoopback) in [
      ("127.0.0.1:1", true), ("127.1.2.3:1", true), ("[::1]:1", true), ("0.0.0.0:1", false),
      ("192.168.0.1:1", false), ("[::]:1", false), ("[fe80::1]:1", false),
    ] {
      #expect(KioskAddress(text)?.isLoopback == isLoopback, "\(text)")
    }
  }

  @Test(
    "targets are decoded once, and strictly",
    arguments: [
      ("/", [""], []), ("/a/b%2Fc", ["a", "b/c"], []), ("/a%252F", ["a%2F"], []),
      ("/a+b?c+d=e%20f&g", ["a+b"], ["c d=e f", "g="]), ("/?=&&x", [""], ["=", "x="]),
      ("/%C3%BC", ["ü"], []),
    ] as [(String, [String], [String])])
  func targets(_ text: String, _ path: [String], _ query: [String]) throws {
    let target = try #require(HTTPTarget(text))
    #expect(target.path == path)
    #expect(target.query.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test(
    "what is no target is none",
    arguments: [
      "", "a", "*", "http://a/", "/%", "/%1", "/%g1", "/%FF", "/%C3", "/%00", "/%0A", "/?%7F",
      "/" + String(repeating: "a", count: 4096),
    ])
  func badTargets(_ text: String) {
    #expect(HTTPTarget(text) == nil)
  }
}
