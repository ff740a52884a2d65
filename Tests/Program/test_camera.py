"""The PTP camera of Tests/Camera, as Debian's own gphoto2 sees it over the network."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PLACE = pathlib.Path(__file__).resolve().parents[1] / "Camera"
sys.path.insert(0, str(PLACE))
import ptp  # noqa: E402
from camera import Camera  # noqa: E402
from moment import moment_of  # noqa: E402
from personas import EOS  # noqa: E402
from pictures import Pictures  # noqa: E402

DRIVERS = {"eos": "Canon EOS (WLAN)", "nikon": "Nikon DSLR (WLAN)"}
# gphoto2 connects to the port of PTP/IP only, so the cameras of two test runs have their own address.
ADDRESS = f"127.{os.getpid() >> 8 & 0x7F}.{os.getpid() & 0xFF}.9"


class Emulator:
    """A running camera."""

    def __init__(self, persona, *options):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", PLACE / "ptp_camera.py", "--persona", persona, "--address", ADDRESS,
             "--size", "1600x1064", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.persona = persona
        json.loads(self.process.stdout.readline())

    def ask(self, **request):
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def named(self, what):
        return [entry for entry in self.ask(ask="history") if entry["what"] == what]

    def gphoto2(self, *arguments, folder, timeout=60):
        return subprocess.run(
            ["gphoto2", "--camera", DRIVERS[self.persona], "--port", f"ptpip:{ADDRESS}",
             "--force-overwrite", *arguments],
            cwd=folder, capture_output=True, text=True, timeout=timeout,
            env={**os.environ, "HOME": folder, "LC_ALL": "C"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


class CameraTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="retake-camera-")
        self.addCleanup(lambda: subprocess.run(["rm", "-r", self.folder], check=True))

    def pictures(self):
        return sorted(path for path in pathlib.Path(self.folder).iterdir()
                      if path.suffix.lower() in (".jpg", ".cr2"))

    def test_a_picture_carries_its_moment_however_it_is_turned(self):
        pictures = Pictures(1600, 1064)
        for number in (0, 54_102_123_456, (1 << 56) - 1):
            source = pathlib.Path(self.folder) / "straight.jpg"
            source.write_bytes(pictures.at(number))
            for turn in ("90", "180", "270"):
                turned = subprocess.run(["jpegtran", "-rotate", turn, source], capture_output=True,
                                        check=True).stdout
                self.assertEqual(moment_of(turned), number)
            self.assertEqual(moment_of(source.read_bytes()), number)

    def test_each_kind_gives_live_pictures_and_a_photo_of_the_moment(self):
        for persona in DRIVERS:
            with self.subTest(persona), Emulator(persona, "--lag", "0.2") as camera:
                before = time.monotonic()
                answer = camera.gphoto2(
                    "--capture-preview", "--capture-image-and-download", folder=self.folder)
                after = time.monotonic()
                self.assertEqual(answer.returncode, 0, answer.stderr)
                moments = [moment_of(str(path)) for path in self.pictures()]
                self.assertEqual(len(moments), 2)
                for moment in moments:
                    self.assertTrue(before <= moment / 1e6 <= after, (before, moment, after))
                [exposure] = camera.named("exposure")
                self.assertIn(int(exposure["centre"] * 1e6), moments)
                self.assertEqual(camera.ask(ask="card"), [])
                for path in self.pictures():
                    path.unlink()

    def test_half_and_full_press_are_apart(self):
        release = [f"--set-config=eosremoterelease={word}"
                   for word in ("Press 1", "Press 2", "Release 2", "Release 1")]
        with Emulator("eos", "--no-focus", "--lag", "0.1") as camera:
            answer = camera.gphoto2(
                *release, "--wait-event-and-download=FILEADDED", folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            [half], [full] = camera.named("half press"), camera.named("full press")
            self.assertLess(half["time"], full["time"])
            # The shutter falls without focus, and the lag counts from the full press.
            [exposure] = camera.named("exposure")
            self.assertGreaterEqual(exposure["centre"], full["time"] + 0.1)
            self.assertEqual([moment_of(str(path)) for path in self.pictures()],
                             [int(exposure["centre"] * 1e6)])

    def test_each_manner_changes_what_the_camera_answers(self):
        """By the operations themselves, without a connection."""
        operations = {name: code for code, name in EOS.names.items()}

        def camera(**manners):
            made = Camera(EOS(), 320, 216, live=(320, 216))
            for name, value in {"lag": 0.0, "processing": 0.0, **manners}.items():
                setattr(made.behaviour, name, value)
            return made

        def ask(made, name, *parameters, data=b""):
            return made.answer(operations[name], parameters, data)

        def photo(**manners):
            made = camera(**manners)
            code = ask(made, "EOS_RemoteReleaseOn", 3, 0)[0]
            end = time.monotonic() + 30
            while code == ptp.OK and time.monotonic() < end:
                with made.lock:
                    if made.events:
                        break
                time.sleep(0.001)
            return made, code, list(made.files.values())

        self.assertEqual(len(photo()[2]), 1)
        self.assertEqual(photo(empty=True)[2][0].data, b"")
        self.assertFalse(photo(garbage=True)[2][0].data.startswith(b"\xff\xd8"))
        self.assertEqual([file.form for file in photo(files="raw")[2]], [ptp.RAW])
        self.assertFalse(photo(odd_names=True)[2][0].name.isalnum())
        self.assertEqual([event[0] for event in photo(lose_events=True)[0].take_events()],
                         [ptp.CAPTURE_COMPLETE])
        self.assertEqual([event[0] for event in photo(double_events=True)[0].take_events()],
                         [ptp.OBJECT_ADDED, ptp.OBJECT_ADDED, ptp.CAPTURE_COMPLETE])
        to_card = ptp.pack("III", 12, EOS.DESTINATION, 2)
        for manner in ("card_full", "no_card"):
            made = camera(**{manner: True})
            ask(made, "EOS_SetDevicePropValueEx", data=to_card)
            self.assertEqual(ask(made, "EOS_RemoteReleaseOn", 3, 0)[0], ptp.STORE_FULL)
        made = camera(live_limit=0.001)
        ask(made, "EOS_SetDevicePropValueEx", data=ptp.pack("III", 12, EOS.OUTPUT, 2))
        time.sleep(0.01)
        self.assertNotEqual(ask(made, "EOS_GetViewFinderData")[0], ptp.OK)
        made = camera(battery=7)
        self.assertEqual(ask(made, "GetDevicePropValue", 0x5001)[1], b"\x07")
        made = camera(stall="GetDeviceInfo", stall_time=0.05)
        begin = time.monotonic()
        ask(made, "GetDeviceInfo")
        self.assertGreaterEqual(time.monotonic() - begin, 0.05)
        made = camera(asleep=True)
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(ask(made, "GetDeviceInfo")[0]))
        waiting.start()
        time.sleep(0.1)
        self.assertEqual(answers, [])
        made.behaviour.asleep = False
        waiting.join(30)
        self.assertEqual(answers, [ptp.OK])

    def misbehave(self, *options):
        """Takes a photo; returns the history's words, and the bytes of the file or None."""
        with Emulator("nikon", *options) as camera:
            camera.gphoto2("--capture-image-and-download", folder=self.folder)
            words = [entry["what"] for entry in camera.ask(ask="history")]
        found = self.pictures()
        data = found[0].read_bytes() if found else None
        for path in found:
            path.unlink()
        return words, data

    def test_misbehaviour_is_as_it_was_asked_for(self):
        words, data = self.misbehave("--files", "both")
        self.assertEqual(words.count("file"), 2)
        _, whole = self.misbehave()
        self.assertTrue(whole.endswith(b"\xff\xd9"))
        _, data = self.misbehave("--truncate", "1000")
        self.assertFalse(data.endswith(b"\xff\xd9"))
        words, data = self.misbehave("--death", "GetObject")
        self.assertIn("death", words)
        self.assertIsNone(data)
        words, _ = self.misbehave("--busy", "2")
        self.assertIn("exposure", words)


if __name__ == "__main__":
    unittest.main()
