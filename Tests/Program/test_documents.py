"""The documents against the program: what they say can be done as they say it."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

from station import StationCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text, language):
    """The fenced blocks of that language; one that is indented, as in a list, without its indent."""
    for match in re.finditer(rf"^( *)```{language}\n(.*?)^\1```", text, re.MULTILINE | re.DOTALL):
        yield re.sub(rf"^{match[1]}", "", match[2], flags=re.MULTILINE)


class DocumentTests(StationCase):
    def test_links_drawings_and_pins_hold(self):
        result = subprocess.run([ROOT / "scripts/lib/check-documents"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_reference_is_what_the_program_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_retake("documents", folder).returncode, 0)
            for path in sorted(pathlib.Path(folder).glob("*.md")):
                kept = ROOT / "docs/reference" / path.name
                self.assertEqual(kept.read_text(), path.read_text(),
                                 f"{kept} is not current: run scripts/docs reference")

    def test_every_configuration_is_accepted(self):
        count = 0
        for page in PAGES:
            for text in blocks(page.read_text(), "toml"):
                path = os.path.join(self.dir, "block.toml")
                pathlib.Path(path).write_text(text)
                result = self.run_retake("config", "--json", "--config", path)
                self.assertEqual((result.returncode, result.stderr), (0, ""), f"{page}:\n{text}")
                self.assertIn(f'{path}:', result.stdout, f"{page} sets nothing:\n{text}")
                count += 1
        self.assertGreater(count, 15)
        for path in (ROOT / "deploy/examples").glob("*.toml"):
            result = self.run_retake("config", "--json", "--config", str(path))
            self.assertEqual((result.returncode, result.stderr), (0, ""), path)

    def test_what_goes_below_a_table_and_what_goes_to_the_end_can_be_put_there(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_retake("documents", folder)
            sample = (pathlib.Path(folder) / "retake.toml").read_text()
        there = set(re.findall(r"^\[([\w.]+)\]$", sample, re.MULTILINE))
        for page in PAGES:
            text = page.read_text()
            for table in re.findall(r"below the `\[([\w.]+)\]` that", text):
                self.assertTrue(table == "table" or table in there, f"{page}: [{table}] is not in the file")
            for block in blocks(text, "toml"):
                tables = set(re.findall(r"^\[([\w.]+)\]$", block, re.MULTILINE))
                if tables & there:
                    continue
                path = os.path.join(self.dir, "whole.toml")
                pathlib.Path(path).write_text(f"{sample}\n{block}")
                result = self.run_retake("config", "--json", "--config", path)
                self.assertEqual((result.returncode, result.stderr), (0, ""), f"{page}:\n{block}")

    def test_the_pixels_that_a_photo_gets_are_those_of_the_table(self):
        text = (ROOT / "docs/how-to/cameras.md").read_text()
        rows = re.findall(r"^\| (\d+)x(\d+) \| (\S+) \| (\S+) \| (\S+) \|$", text, re.MULTILINE)
        self.assertEqual(len(rows), 4)
        source, output = os.path.join(self.dir, "frame.raw"), os.path.join(self.dir, "photo.jpg")
        for width, height, *sizes in rows[:2]:
            pathlib.Path(source).write_bytes(bytes([128]) * (int(width) * int(height) * 2))
            ways = (["--aspect", "3:4"], ["--aspect", "2:3"], ["--mount", "90"])
            for way, size in zip(ways, sizes):
                result = self.run_retake("still", source, "--raw", f"YUYV:{width}x{height}", *way,
                                         "--output", output, "--json")
                report = json.loads(result.stdout)
                self.assertEqual(f"{report['width']}x{report['height']}", size, f"{width}x{height} {way}")

    def test_every_command_and_option_exists(self):
        helps = {}

        def help_of(*words):
            if words not in helps:
                helps[words] = self.run_retake(*words, "--help")
            return helps[words]

        groups = {"photos"}
        count = 0
        for page in PAGES:
            text = page.read_text()
            spans = re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL))
            for line in "\n".join([*blocks(text, "sh"), *spans]).splitlines():
                match = re.match(r"(?:sudo )?(?:-u USER )?retake ([a-z]+)(?: ([a-z]+))?(.*)", line.strip())
                if not match or line.strip() == "retake documents":
                    continue
                name, second, rest = match.groups()
                command = (name, second) if name in groups and second else (name,)
                result = help_of(*command)
                self.assertEqual(result.returncode, 0, f"{page}: {line}\n{result.stderr}")
                for option in re.findall(r"--[a-z][a-z-]*", f"{second or ''}{rest}"):
                    self.assertIn(f"  {option}", result.stdout, f"{page}: {line}")
                if name == "trigger" and second:
                    self.assertIn(f"  {second} ", result.stdout, f"{page}: {line}")
                count += 1
        self.assertGreater(count, 60)


class ScreenTests(StationCase):
    """deploy/systemd/screen, with a compositor's tool and a browser that only note what they are asked."""

    def screen(self, randr=True, **environment):
        tools = pathlib.Path(self.dir, "tools")
        tools.mkdir(exist_ok=True)
        notes = pathlib.Path(self.dir, "notes")
        notes.write_text("")
        for name in ("chromium", *(["wlr-randr"] if randr else [])):
            path = tools / name
            path.write_text(f'#!/bin/sh\necho "{name} $*" >>{notes}\n'
                            'if [ $# = 0 ]; then printf \'DSI-1 "A panel"\\n  Enabled: yes\\nHDMI-A-1 "B"\\n\'; fi\n')
            path.chmod(0o755)
        for name in ("sed", "sh"):
            link = tools / name
            if not link.exists():
                link.symlink_to(f"/bin/{name}")
        result = subprocess.run(["/bin/sh", ROOT / "deploy/systemd/screen"], capture_output=True, text=True,
                                env={"PATH": str(tools), **environment})
        self.assertEqual(result.returncode, 0, result.stderr)
        return notes.read_text().splitlines(), result.stderr

    def test_the_page_of_the_service_is_shown_as_it_is(self):
        notes, words = self.screen()
        self.assertEqual((len(notes), words), (1, ""))
        self.assertTrue(notes[0].startswith("chromium --kiosk "))
        self.assertTrue(notes[0].endswith(" http://127.0.0.1:8080/"))

    def test_every_display_is_turned_before_the_browser_starts(self):
        notes, words = self.screen(RETAKE_ROTATION="90", RETAKE_PAGE="http://127.0.0.1:8080/?token=secret")
        self.assertEqual(words, "")
        self.assertEqual(notes[1:3], ["wlr-randr --output DSI-1 --transform 90",
                                      "wlr-randr --output HDMI-A-1 --transform 90"])
        self.assertTrue(notes[3].endswith(" http://127.0.0.1:8080/?token=secret"))

    def test_without_the_tool_the_page_is_shown_and_the_log_says_why_it_is_not_turned(self):
        notes, words = self.screen(randr=False, RETAKE_ROTATION="90")
        self.assertEqual(len(notes), 1)
        self.assertIn("sudo apt install wlr-randr", words)


if __name__ == "__main__":
    import unittest
    unittest.main()
