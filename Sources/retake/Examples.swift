extension Example {
  /// The example calls by command; a test parses each of them.
  static let all: [String: [Example]] = [
    "run": [
      Example(words: "run --camera demo", meaning: "try the station without a camera"),
      Example(
        words: "run --once --camera auto", meaning: "take one photo after the countdown and keep it"
      ),
    ],
    "snap": [
      Example(words: "snap --camera auto --output photo.jpg", meaning: "take one photo now"),
      Example(words: "snap --movie 3 --output movie.mp4", meaning: "record three seconds"),
    ],
    "still": [
      Example(
        words: "still photo.jpg --mount 90 --output upright.jpg",
        meaning: "turn a picture as the station would, without loss"),
      Example(
        words: "still frame.raw --raw YUYV:1280x720 --output frame.jpg",
        meaning: "make a picture of a raw frame"),
    ],
    "cameras": [Example(words: "cameras", meaning: "see what is plugged in and what it can do")],
    "buttons": [
      Example(words: "buttons --learn", meaning: "find a button by its press"),
      Example(words: "buttons --test", meaning: "light each lamp in turn"),
    ],
    "trigger": [
      Example(words: "trigger shutter", meaning: "begin a countdown from a shell"),
      Example(words: "trigger status", meaning: "show the status of the running station"),
      Example(words: "trigger reload", meaning: "use a changed configuration"),
    ],
    "pick": [
      Example(words: "pick --source camera", meaning: "take a photo at the terminal"),
      Example(
        words: "pick --select newest --edit --turn 1 --output edited",
        meaning: "turn a copy of the newest photo"),
    ],
    "photos list": [Example(words: "photos list --limit 10", meaning: "list the last ten photos")],
    "photos show": [Example(words: "photos show 12", meaning: "show IMG_00000012.jpg")],
    "photos verify": [
      Example(words: "photos verify --album wedding", meaning: "read the photos of one album again")
    ],
    "photos export": [
      Example(
        words: "photos export /media/retake/wedding", meaning: "copy the album to a stick, checked"),
      Example(
        words: "photos export wedding.zip --album wedding", meaning: "make one archive of it"),
    ],
    "photos delete": [Example(words: "photos delete 12 13", meaning: "delete two photos")],
    "photos keep": [
      Example(words: "photos keep 12", meaning: "never delete that photo for its age")
    ],
    "photos album": [
      Example(words: "photos album \"Anna and Ben\"", meaning: "begin the album of an event")
    ],
    "photos rebuild": [],
    "photos stats": [
      Example(words: "photos stats --json", meaning: "the numbers of each day, for a program")
    ],
    "doctor": [
      Example(words: "doctor", meaning: "look at everything, with a fix for each problem")
    ],
    "config": [
      Example(
        words: "config --config /etc/retake/retake.toml",
        meaning: "check a file and see what it makes of the defaults")
    ],
  ]
}

extension Command {
  /// The example calls of the command.
  var examples: [Example] { Example.all[name] ?? [] }
}
