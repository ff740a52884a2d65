"""Tests of the command line's answers to mistakes, to questions, and to requests without a result."""

import json
import os
import pathlib
import re
import subprocess
import unittest

from station import RETAKE, StationCase, Terminal, wait_until

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources/KioskServer/Page"


class Words(StationCase):
    def ask(self, *words, config=True):
        return self.run_retake(*words, *(["--config", self.config] if config else []))

    def assert_one_style(self, text):
        """Every complaint is one line that begins small, ends without a stop, and shows no code."""
        for line in text.splitlines():
            said = line.removeprefix("retake: ")
            self.assertNotRegex(said, r"\.$", text)
            self.assertNotRegex(said, r"^[A-Z][a-z]", text)
            self.assertNotIn("`", said)
            self.assertNotRegex(said, r"Error\(|rawValue|userInfo|Optional\(", text)

    def test_a_mistake_is_told_in_one_sentence(self):
        inside = lambda name: os.path.join(self.dir, name)
        self.assertEqual(self.ask("run", "--once", "--camera", "demo").returncode, 0)
        with open(inside("text.jpg"), "w") as file:
            file.write("no picture")
        mistakes = [
            (("documents", inside("none")), 5, "the directory of '", "does not exist; make it first"),
            (("snap", "--camera", "demo", "--output", inside("x.png")), 2, "ends with .png", ".jpg"),
            (("snap", "--camera", "demo", "--output", inside("x.MP4")), 2, "ends with .mp4", ".jpg"),
            (("snap", "--camera", "demo", "--movie", "1", "--output", inside("x.jpg")), 2,
             "ends with .jpg", ".mp4"),
            (("still", self.photos()[0], "--output", inside("x.webp")), 2, "ends with .webp", ".jpg"),
            (("still", inside("text.jpg"), "--output", inside("x.jpg")), 2, "not a JPEG or PNG"),
            (("snap", "--camera", "/dev/video99", "--output", inside("x.jpg")), 3, "there is no camera"),
            (("snap", "--camera", "clip:/none", "--output", inside("x.jpg")), 3, "there is no such file"),
            (("photos", "export", "/none/x"), 5, "the directory /none does not exist"),
            (("photos", "export", "/none/x.zip"), 5, "the directory /none does not exist"),
            (("photos", "export", inside("x.tar.gz")), 2, "archives are zip"),
            (("photos", "export", self.config), 5, "is not a directory"),
            (("photos", "show", "99"), 1, "there is no photo '99' in the album 'booth'"),
            (("photos", "list", "--album", "none"), 1, "there is no album 'none'"),
            (("photos", "list", "--limit", "0"), 2, "'--limit' must be"),
            (("trigger", "accept"), 8, "no station answers"),
            (("trigger", "acept"), 2, "the nearest is 'accept'"),
            (("pick", "--select", "none.jpg"), 1, "there is no picture 'none.jpg'"),
            (("buttons", "--test"), 2, "no lamp is configured"),
        ]
        for words, status, *told in mistakes:
            with self.subTest(words):
                result = self.ask(*words, config=words[0] != "documents")
                self.assertEqual((result.returncode, result.stdout), (status, ""), result.stderr)
                self.assertTrue(result.stderr.startswith("retake: "), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
                for text in told:
                    self.assertIn(text, result.stderr)
                self.assert_one_style(result.stderr)
        self.assertFalse([name for name in os.listdir(self.dir) if name.startswith("x.")])

    def test_a_command_that_does_not_exist_gets_the_nearest_one_only_where_one_is_near(self):
        for words, told in [
                (("photos", "frob"), "'retake photos --help' lists them"),
                (("photos", "lsit"), "the nearest is 'photos list'"),
                (("frob",), "'retake --help' lists them"), (("camera",), "the nearest is 'cameras'"),
                (("help", "frob"), "'retake --help' lists them"),
                (("snap", "--frob"), "there is no option '--frob'; see"),
                (("snap", "--ouput", "x"), "the nearest is '--output'")]:
            result = self.ask(*words, config=False)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(told, result.stderr)
            self.assertEqual(result.stderr.count("nearest"), told.count("nearest"), result.stderr)

    def test_help_knows_its_topics_and_every_example_can_be_called(self):
        top = self.ask("help", config=False)
        commands = re.findall(r"^  ([a-z]+) ", top.stdout, re.M)
        self.assertIn("trigger", commands)
        for command in commands:
            asked = self.ask("help", command, config=False)
            self.assertEqual(asked.returncode, 0)
            self.assertEqual(asked.stdout, self.ask(command, "--help", config=False).stdout)
            self.assertNotEqual(asked.stdout, top.stdout)
        one = self.ask("photos", "list", "--help", config=False).stdout
        self.assertEqual(self.ask("help", "photos", "list", config=False).stdout, one)
        self.assertEqual(self.ask("photos", "help", "list", config=False).stdout, one)
        folder = os.path.join(self.dir, "documents")
        os.mkdir(folder)
        self.assertEqual(self.ask("documents", folder, config=False).returncode, 0)
        with open(os.path.join(folder, "retake.1")) as file:
            page = file.read().replace("\\-", "-")
        examples = re.findall(r"^\.B retake (.*)", page.split(".SH EXAMPLES")[1].split(".SH")[0], re.M)
        self.assertGreater(len(examples), 20)
        for example in examples:
            # With the option, the words are read and nothing is done.
            result = subprocess.run(f'"{RETAKE}" {example} --help', shell=True, capture_output=True,
                                    text=True, cwd=self.dir)
            self.assertEqual((result.returncode, result.stderr), (0, ""), example)
            self.assertIn(f"  retake {example}\n", result.stdout)
        for page in ("retake.1", "retake.toml.5"):
            shown = subprocess.run(["man", "--warnings", "-l", os.path.join(folder, page)],
                                   capture_output=True, text=True) if os.path.exists("/usr/bin/man") else None
            if shown:
                self.assertEqual(shown.stderr, "", page)

    def test_nothing_to_show_is_said_and_programs_get_an_empty_list(self):
        self.assertEqual(self.ask("run", "--once", "--camera", "demo").returncode, 0)
        self.assertEqual(self.ask("photos", "delete", "1").returncode, 0)
        for words, told in [
                (("photos", "list"), "there are no photos in the album 'booth'"),
                (("photos", "verify"), "there are no photos to verify"),
                (("pick", "--list"), "there is nothing to choose from"),
                (("photos", "export", os.path.join(self.dir, "copy")), "there are no photos in the album")]:
            result = self.ask(*words)
            self.assertEqual((result.returncode, result.stdout), (0, ""), (words, result.stderr))
            self.assertIn(told, result.stderr)
            self.assert_one_style(result.stderr)
        self.assertEqual(self.ask("photos", "list", "--json").stdout.split(), ["[", "]"])

    def test_before_the_first_photo_every_list_says_that_there_is_none(self):
        for words in (("photos", "list"), ("photos", "stats"), ("photos", "verify"), ("photos", "album"),
                      ("photos", "rebuild"), ("pick", "--list"), ("pick", "--list", "--source", "saved")):
            result = self.ask(*words)
            self.assertEqual((result.returncode, result.stdout), (0, ""), (words, result.stderr))
            self.assertEqual(result.stderr, "there are no photos yet\n", words)
            answer = self.ask(*words, "--json")
            self.assertEqual(answer.returncode, 0, words)
            self.assertIn(json.loads(answer.stdout), ([], {"days": [], "tornLines": 0}), words)
            self.assertFalse(os.path.exists(self.library), words)
        # A disk that is away is no library without photos.
        self.config = self.write_config(library="/media/retake-is-away/photos")
        for words in (("photos", "list"), ("photos", "stats"), ("pick", "--list")):
            result = self.ask(*words)
            self.assertEqual((result.returncode, result.stdout), (5, ""), words)
            self.assertNotIn("no photos yet", result.stderr)

    def test_a_kept_photo_and_a_secret_are_said_to_be_set(self):
        self.assertEqual(self.ask("run", "--once", "--camera", "demo").returncode, 0)
        self.assertEqual(self.ask("photos", "keep", "1").stdout, "IMG_00000001.jpg is kept\n")
        self.assertEqual(self.ask("photos", "keep", "1", "--off").stdout, "IMG_00000001.jpg is no longer kept\n")
        self.assertIn("\n#pin =\n", self.ask("config").stdout)
        self.config = self.write_config(more='[web]\nlisten = ""\npin = "97531"\n')
        shown = self.ask("config").stdout
        self.assertRegex(shown, r"\n#pin = \(set, not shown\)  # .*retake\.toml:\d+")
        self.assertNotIn("97531", shown)

    def test_a_station_without_a_terminal_names_its_camera_once(self):
        process = subprocess.Popen([RETAKE, "run", "--camera", "demo", "--config", self.config],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_until(lambda: self.ask("trigger", "status").returncode == 0, "the station")
        process.terminate()
        said = process.stderr.read()
        self.assertEqual(len([line for line in said.splitlines() if "demo" in line]), 1, said)
        self.assertIn("using demo", said)

    def test_the_configuration_is_refused_by_both_commands_before_anything_is_opened(self):
        for text, told in [('listen = "0.0.0.0:8099"', "'web.token'"), ('language = "xx"', '"de", "en"')]:
            self.config = self.write_config(more=f"[web]\n{text}\n")
            answers = [self.ask("config"), self.ask("run", "--camera", "demo"),
                       self.ask("run", "--once", "--camera", "demo")]
            for answer in answers:
                self.assertEqual((answer.returncode, answer.stdout), (2, ""), answer.stderr)
                self.assertEqual(answer.stderr, answers[0].stderr)
                self.assertIn(told, answer.stderr)
                self.assertRegex(answer.stderr, r"retake\.toml:\d+:1: '")
            self.assertFalse(os.path.exists(self.library))

    def test_the_terminal_says_each_thing_once_and_has_keys_on_every_screen(self):
        terminal = Terminal("run", "--camera", "demo", "--config", self.config)
        self.addCleanup(terminal.close)
        start = terminal.read_until("IDLE")
        self.assertEqual(start.count("demo"), 1, start)
        terminal.read_until("Space: photo")
        terminal.press("x")
        terminal.read_until("the key x does nothing; Space: photo")
        terminal.press("a")
        terminal.read_until("no photo to accept")
        terminal.press(" ")
        terminal.read_until("REVIEWING")
        terminal.read_until("a: accept, r: retake, c: cancel")
        # The last byte of an arrow is a capital C or A, and neither cancels nor accepts.
        terminal.press("\x1b[C\x1b[A")
        terminal.read_until("that key does nothing; a: accept")
        wait_until(lambda: terminal.press("a") or self.photos(), "the photo")
        saved = terminal.read_until("FINISHED")
        self.assertEqual(saved.count("IMG_00000001.jpg"), 1, saved)
        terminal.read_until("Space: photo")
        terminal.press("q")
        self.assertEqual(terminal.wait(), 0)

    def test_a_full_disk_is_told_once(self):
        self.config = self.write_config()
        with open(self.config) as file:
            text = file.read().replace("allow-volatile", 'reserve = "900 GB"\nallow-volatile')
        with open(self.config, "w") as file:
            file.write(text)
        once = self.ask("run", "--once", "--camera", "demo")
        self.assertEqual(once.returncode, 5, once.stderr)
        self.assertEqual(once.stderr.count("no room"), 1, once.stderr)
        terminal = Terminal("run", "--camera", "demo", "--config", self.config)
        self.addCleanup(terminal.close)
        said = terminal.read_until("library: full")
        for _ in range(2):
            terminal.press(" ")
            said += terminal.read_until("for the reason above")
        self.assertEqual(said.count("no room"), 1, said)
        terminal.press("q")
        self.assertEqual(terminal.wait(), 0)


class PageWords(unittest.TestCase):
    """The words of the booth's page."""

    def words(self, language):
        for path in (PAGE / f"languages/{language}.json", PAGE / f"languages/staff/{language}.json"):
            for key, text in json.loads(path.read_text()).items():
                yield key, text
        for index, text in enumerate(self.start()[language]):
            yield f"start.html {index}", text

    def start(self):
        text = (PAGE / "start.html").read_text()
        return {code: json.loads(rest) for code, rest in re.findall(r"^ +(\w\w): (\[.*\]),$", text, re.MULTILINE)}

    def test_french_marks_stay_with_their_words(self):
        for key, text in self.words("fr"):
            self.assertNotRegex(text, r"(?<![\u202f])[?!;]|[^\u00a0]:(?!//)|«[^\u00a0]|[^\u00a0]»", key)

    def test_a_number_and_an_ellipsis_stay_with_what_is_before_them(self):
        for path in PAGE.glob("languages/*.json"):
            for key, text in self.words(path.stem):
                self.assertNotRegex(text, r"\} s\b| …", f"{path.stem}: {key}")

    def test_each_language_has_one_style(self):
        never = {"ko": r"(습니다|입니다)", "ja": r"消去|係の人|[^\x00-\x7f][:(]", "fr": r"[Pp]hotomaton", "de": r"\bTaste\b"}
        for language, pattern in never.items():
            for key, text in self.words(language):
                self.assertNotRegex(text, pattern, f"{language}: {key}")
        spaced = re.compile(r"\{(n|count|limit)\}[^ 、。）)]|[^ （(：、]\{(n|count|limit)\}")
        for key, text in self.words("ja"):
            self.assertNotRegex(text, spaced, key)

    def test_the_start_page_says_what_the_page_says(self):
        start = self.start()
        self.assertEqual(len(start), 6)
        for language, (starting, waiting) in start.items():
            words = dict(self.words(language))
            self.assertEqual(re.sub(r"\s*…$", "", starting), words["reason.starting"])
            asked = re.split(r"(?<=[.。])\s*", words["reason.camera"].rstrip(".。"))[-1]
            self.assertIn(asked, waiting, language)


if __name__ == "__main__":
    unittest.main()
