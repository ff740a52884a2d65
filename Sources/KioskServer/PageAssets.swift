// Made by scripts/lib/embed-page; edit the files in Page instead.
// swift-format-ignore-file

/// A file of the page that is built in.
struct PageLiteral: Sendable {
  var name: String
  var tag: String
  var text: StaticString
}

/// The page, file by file.
enum PageAssets {
  static let all: [PageLiteral] = [
    PageLiteral(
      name: "index.html", tag: "\"b32406e05a42680d\"",
      text: #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Retake</title>
</head>
<body>
<h1>Retake</h1>
<p>Press the button.</p>
<img src="/preview.mjpg" alt="The camera's live picture">
</body>
</html>

"""#),
  ]
}
