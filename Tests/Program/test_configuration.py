"""Hostile configurations: told with file and line, and a running station goes on as it was."""

import os
import random
import socket
import time
import unittest

from station import StationCase

DEEP = 100_000

# Each with words of the refusal; each is tried with `retake config` and on a running station.
HOSTILE = {
    "latin1-value": (b'[library]\nalbum = "M\xfcller"\n', ":2:", "Latin-1", "UTF-8"),
    "latin1-bare": (b"[library]\nalbum = M\xfcller\n", ":2:", "Latin-1"),
    "latin1-comment": (b"# M\xfcller\n", ":1:", "Latin-1"),
    "bare": ("[library]\nalbum = Müller\n".encode(), ":2:", "outside of quotation marks"),
    "quotes": ("[library]\nalbum = “booth”\n".encode(), ":2:", "quotation mark"),
    "utf-16": ("[library]\n".encode("utf-16"), ":1:", "UTF-16"),
    "nul": (b'[library]\npath = "/srv/a\0b"\n', ":2:", "control character"),
    "nul-escaped": (b'[library]\npath = "/srv/a\\u0000b"\n', ":2:", "control character"),
    "escape-in-key": (b'"\\u001b[31m" = 1\n', ":1:", "control character"),
    "dots": (b".".join([b"a"] * DEEP) + b" = 1\n", ":1:", "more than 8 parts"),
    "dots-table": (b"[" + b".".join([b"a"] * DEEP) + b"]\nb = 1\n", ":1:", "more than 8 parts"),
    "arrays": (b"a = " + b"[" * DEEP, ":1:", "invalid TOML"),
    "tables": (b"a = " + b"{a=" * 80_000, ":1:", "invalid TOML"),
    "large": (b"# " + b"x" * 300_000, "is larger than 256 KB"),
    "values": (b"[camera]\nfallback = [" + b'"x",' * 50_000 + b"]\n", ":2:", "more values"),
    "buttons": (b"".join(b'[buttons.b%d]\nrole = "shutter"\nline = "L%d"\n' % (n, n)
                         for n in range(200)), "one too many"),
    "rubbish": (bytes(range(256)) * 50, ":1:"),
}


class ConfigurationTests(StationCase):
    def write(self, content):
        with open(self.config, "wb") as file:
            file.write(content)

    def ask(self, action):
        """Sends one trigger over the socket, without the program."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(60)
            client.connect(self.socket)
            client.sendall(action.encode() + b"\n")
            answer = b""
            while piece := client.recv(65536):
                answer += piece
        return answer.decode()

    def test_the_command_says_what_is_wrong_and_where(self):
        for name, (content, *words) in HOSTILE.items():
            with self.subTest(name):
                self.write(content)
                result = self.run_retake("config", "--config", self.config)
                self.assertEqual(result.returncode, 2, result.stderr[:500])
                for word in words:
                    self.assertIn(word, result.stderr)
                self.assertTrue(result.stderr.startswith(f"retake: {self.config}"))
                self.assertEqual(result.stderr.count("\n"), 1)
                self.assertLess(len(result.stderr), 2000)
                self.assertTrue(result.stderr[:-1].isprintable())

    def test_a_byte_order_mark_at_the_start_is_none_of_the_text(self):
        self.write(b'\xef\xbb\xbf[library]\nalbum = "M\xc3\xbcller"\n')
        result = self.run_retake("config", "--config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn('album = "Müller"', result.stdout)

    def test_a_running_station_stays_as_it_was(self):
        with open(self.config, "rb") as file:
            good = file.read()
        station = self.start()
        for name, (content, *words) in HOSTILE.items():
            with self.subTest(name):
                self.write(content)
                answer = self.ask("reload")
                self.assertTrue(answer.startswith("refused the configuration stays as it was"))
                for word in words:
                    self.assertIn(word, answer)
        # Random damage to the good file, for as long as a campaign wants.
        seed = int(os.environ.get("RETAKE_SEED", time.time_ns()))
        end = time.monotonic() + float(os.environ.get("RETAKE_HOSTILE_SECONDS", "0.5"))
        chance = random.Random(seed)
        while time.monotonic() < end:
            self.write(self.damage(good, chance))
            try:
                answer = self.ask("reload")
            except OSError as error:
                answer = str(error)
            self.assertIsNone(station.poll(), f"seed {seed}: {self.log()[-2000:]}")
            self.assertRegex(answer, "^(ok|refused)", f"seed {seed}: {self.log()[-2000:]}")
        self.write(good)
        self.assertTrue(self.ask("reload").startswith("ok"), self.log()[-2000:])
        self.wait_for_state("idle", station)
        self.assertIsNone(station.poll())

    def damage(self, text, chance):
        """The file with a few bytes changed, taken away, doubled or put in; paths stay."""
        lines = text.split(b"\n")
        places = [n for n, line in enumerate(lines) if line and b"path" not in line and b"listen" not in line]
        for _ in range(chance.randrange(1, 4)):
            place = chance.choice(places)
            line = bytearray(lines[place])
            at = chance.randrange(len(line) + 1)
            match chance.randrange(5):
                case 0: line[at:at] = bytes([chance.randrange(256)])
                case 1: del line[at:at + chance.randrange(1, 5)]
                case 2: line[at:at] = line
                case 3: line[at:at] = chance.choice(
                    [b'"', b"'''", b"[", b"]]", b"{", b".", b"=", b"\\", b"\xef\xbb\xbf", b"\n", b"#"])
                case 4: line = bytearray(chance.choice(
                    [b'[library]', b'album = "%d"' % at, b"[[web]]", b"[camera.controls]",
                     b'keep-days = 36500', b"[cameras.x]", b'rate = 1e308', b"mount = 180"]))
            lines[place] = bytes(line)
        return b"\n".join(lines)


if __name__ == "__main__":
    unittest.main()
