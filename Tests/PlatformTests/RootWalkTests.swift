import Glibc
import Platform
import Testing

/// Tests of root's path walks through its own and other users' directories.
///
/// Only root can give files away.
@Suite(.enabled(if: geteuid() == 0, "these directories are given to another user"))
struct RootWalkTests {
  private let path: String
  private static let other: uid_t = 65_534

  init() throws {
    var template = Array("/tmp/retake-walk-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func folder(_ name: String, _ owner: uid_t = 0, _ mode: mode_t = 0o755) {
    mkdir("\(path)/\(name)", 0o700)
    chmod("\(path)/\(name)", mode)
    chown("\(path)/\(name)", owner, owner)
  }

  private func link(_ name: String, _ target: String, _ owner: uid_t = 0) {
    symlink(target, "\(path)/\(name)")
    lchown("\(path)/\(name)", owner, owner)
  }

  private func errno(of name: String) -> Int32? {
    do throws(SystemError) {
      _ = try RootWalk.to("\(path)/\(name)")
      return nil
    } catch {
      return error.errno
    }
  }

  private func remove(_ names: [String]) {
    for name in names.reversed() where rmdir("\(path)/\(name)") != 0 { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  @Test("the owner of the end, or of the last foreign directory before root's, decides")
  func owners() throws {
    let names = ["mine", "theirs", "theirs/mine", "shared", "shared/mine", "group", "sticky"]
    defer { remove(names) }
    folder("mine")
    folder("theirs", Self.other)
    folder("theirs/mine")
    folder("shared", 0, 0o777)
    folder("shared/mine")
    folder("group", 0, 0o775)
    chown("\(path)/group", 0, 50)
    folder("sticky", 0, 0o1777)
    let expected: [(String, uid_t?, Bool, [String])] = [
      ("mine", nil, false, []), ("theirs", Self.other, false, []),
      ("theirs/mine", Self.other, false, []), ("shared", nil, true, []),
      ("shared/mine", nil, true, []), ("group", nil, true, []), ("sticky", nil, false, []),
      ("mine/new/deep", nil, false, ["new", "deep"]),
      ("theirs/new", Self.other, false, ["new"]), ("mine/../theirs/.", Self.other, false, []),
    ]
    for (name, owner, isShared, missing) in expected {
      let walk = try RootWalk.to("\(path)/\(name)")
      #expect(walk.owner?.user == owner, "\(name)")
      #expect(walk.isShared == isShared, "\(name)")
      #expect(walk.missing == missing, "\(name)")
      #expect(walk.isTrusted == (owner == nil && !isShared), "\(name)")
    }
  }

  @Test("a link is followed if it is root's in a directory of root's, and no other")
  func links() throws {
    let names = [
      "mine", "theirs", "here", "there", "in", "theirs/link", "theirs/roots", "foreign", "shared",
      "shared/link", "loop", "file",
    ]
    defer { remove(names) }
    folder("mine")
    folder("theirs", Self.other)
    folder("shared", 0, 0o777)
    link("here", "mine")
    link("there", "\(path)/mine")
    link("in", "theirs")
    link("theirs/link", "\(path)/mine", Self.other)
    link("theirs/roots", "\(path)/mine")
    link("foreign", "mine", Self.other)
    link("shared/link", "../mine")
    link("loop", "loop")
    link("file", "/dev/null")
    for name in ["here", "there", "here/../mine", "in"] {
      #expect(errno(of: name) == nil, "\(name)")
    }
    for name in [
      "theirs/link", "theirs/roots", "in/link", "foreign", "shared/link", "loop", "foreign/below",
    ] {
      #expect(errno(of: name) == ELOOP, "\(name)")
    }
    #expect(errno(of: "file") == ENOTDIR)
  }
}
