"""Sessions on the demo camera: what a guest does, and what is on the disk afterwards."""

import json
import os
import re
import signal
import socket
import time
import unittest

from station import StationCase, Terminal, wait_until


class Sessions(StationCase):
    def test_one_unattended_session_prints_an_upright_portrait(self):
        result = self.run_retake("run", "--once", "--camera", "demo", "--config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)
        path = result.stdout.strip()
        self.assertEqual(path, os.path.join(self.library, "booth", "IMG_00000001.jpg"))
        self.assertEqual(self.assert_upright_portrait(path)[:2], (540, 720))
        self.assertRegex(result.stderr, r"taken \d+\.\d ms (before|after)")

    def test_the_frame_is_the_one_nearest_to_the_press(self):
        log = os.path.join(self.dir, "frames")
        result = self.run_retake(
            "run", "--once", "--json", "--camera", "demo", "--config", self.config,
            "--source-log", log)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        frames = dict(map(int, line.split()) for line in open(log))
        # By the number in the picture and the camera's own log, not by what the program says.
        number = self.number_in(report["path"])
        distance = abs(frames[number] - report["pressNanoseconds"])
        self.assertEqual(distance, min(abs(t - report["pressNanoseconds"]) for t in frames.values()))

    def test_numbers_go_on_and_nothing_is_replaced(self):
        paths = []
        for _ in range(3):
            result = self.run_retake("run", "--once", "--camera", "demo", "--config", self.config)
            paths.append(os.path.basename(result.stdout.strip()))
            os.rename(result.stdout.strip(), result.stdout.strip() + ".moved")
        self.assertEqual(paths, [f"IMG_0000000{n}.jpg" for n in (1, 2, 3)])

    def test_press_accept(self):
        self.start()
        self.assertEqual(self.trigger("shutter")[0], 0)
        self.wait_for_state("reviewing")
        self.assertEqual([p for p in self.photos()], [], "a picture is findable before the accept")
        wait_until(lambda: self.trigger("accept")[0] == 0, "the accept")
        status = wait_until(
            lambda: (s := self.status()) and s.get("lastPhoto") and s, "the photo")
        self.assertEqual(self.photos(), [status["lastPhoto"]["path"]])
        self.assert_upright_portrait(status["lastPhoto"]["path"])

    def test_a_press_while_the_library_changes_gets_a_photo_or_a_refusal(self):
        self.start()
        with open(self.config) as file:
            text = file.read()
        saved = 0
        for number, delay in enumerate([0, 0.005, 0.02, 0.05, 0.1]):
            with open(self.config, "w") as file:
                file.write(text.replace("[library]", f'[library]\nalbum = "b{number}"'))
            self.assertEqual(self.trigger("reload")[0], 0)
            time.sleep(delay)
            if self.trigger("shutter")[0] == 0:
                self.wait_for_state("reviewing")
                wait_until(lambda: self.trigger("accept")[0] == 0, "the accept")
                saved += 1
                wait_until(lambda: len(self.photos()) == saved, "the photo")
            self.wait_for_state("idle")

    def test_a_page_that_cannot_be_opened_anew_leaves_the_buttons(self):
        self.start()
        with open(self.config) as file:
            text = file.read()
        with socket.create_server(("127.0.0.1", 0)) as taken:
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            with open(self.config, "w") as file:
                file.write(text.replace('listen = ""', f'listen = "{address}"'))
            self.assertEqual(self.trigger("reload")[0], 0)
            wait_until(lambda: "problem" in self.status()["page"], "the problem")
            self.assertIn("there is no page", self.trigger("status")[1])
            self.assertEqual(self.trigger("shutter")[0], 0)
            self.wait_for_state("reviewing")
            self.assertEqual(self.trigger("cancel")[0], 0)
        self.assertEqual(self.trigger("reload")[0], 0)
        wait_until(lambda: "problem" not in self.status()["page"], "the page")

    def test_a_signal_is_a_shutter(self):
        process = self.start()
        process.send_signal(signal.SIGUSR1)
        self.wait_for_state("reviewing")

    def test_retake_shoots_again_and_leaves_one_photo(self):
        self.start()
        self.trigger("shutter")
        self.wait_for_state("reviewing")
        self.assertEqual(self.trigger("retake")[0], 0)
        self.wait_for_state("reviewing")
        wait_until(lambda: self.trigger("accept")[0] == 0, "the accept")
        wait_until(lambda: len(self.photos()) == 1, "the photo")

    def test_cancel_leaves_nothing(self):
        self.start()
        self.trigger("shutter")
        self.wait_for_state("reviewing")
        self.assertEqual(self.trigger("cancel")[0], 0)
        self.wait_for_state("idle")
        self.assertEqual(self.photos(), [])

    def test_a_second_press_during_the_countdown_gives_one_photo(self):
        self.config = self.write_config(countdown=1.5)
        self.start()
        self.assertEqual(self.trigger("shutter")[0], 0)
        self.assertEqual(self.trigger("shutter")[0], 1)
        self.wait_for_state("reviewing")
        wait_until(lambda: self.trigger("accept")[0] == 0, "the accept")
        self.wait_for_state("idle")
        self.assertEqual(len(self.photos()), 1)
        self.assertEqual(self.log().count("began"), 1)

    def test_a_double_press_without_countdown_keeps_no_unseen_photo(self):
        process = self.start()
        for _ in range(4):
            process.send_signal(signal.SIGUSR1)
            self.trigger("accept")
            if self.status()["state"] == "reviewing":
                break
        self.trigger("accept")
        self.assertEqual(self.photos(), [])

    def test_a_review_that_nobody_decides_ends_as_configured(self):
        for at_end, count in (("cancel", 0), ("accept", 1)):
            with self.subTest(at_end):
                self.config = self.write_config(review=2, at_end=at_end)
                process = self.start()
                self.trigger("shutter")
                self.wait_for_state("reviewing")
                self.wait_for_state("idle")
                self.assertEqual(len(self.photos()), count)
                words = "is kept" if count else "is not kept"
                self.assertIn(f"session 1: nobody decided in time, the photo {words}", self.log())
                process.terminate()
                self.assertEqual(process.wait(), 0)

    def test_kill_during_review_leaves_nothing_anywhere(self):
        process = self.start()
        self.trigger("shutter")
        self.wait_for_state("reviewing")
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertEqual(self.photos(), [])
        # And the next station starts, takes a photo, and has the first free number.
        self.start()
        self.trigger("shutter")
        self.wait_for_state("reviewing")
        wait_until(lambda: self.trigger("accept")[0] == 0, "the accept")
        wait_until(lambda: len(self.photos()) == 1, "the photo")

    def test_it_ends_within_two_seconds_and_removes_its_socket(self):
        process = self.start()
        self.assertTrue(os.path.exists(self.socket))
        process.terminate()
        self.assertEqual(process.wait(timeout=2), 0)
        self.assertFalse(os.path.exists(self.socket))

    def test_every_trigger_is_in_the_log_with_time_and_source(self):
        self.start()
        self.trigger("shutter")
        self.wait_for_state("reviewing")
        self.trigger("cancel")
        wait_until(lambda: "cancel from socket" in self.log(), "the log line")
        for action in ("shutter", "cancel"):
            self.assertRegex(
                self.log(), rf"{action} from socket pid \d+ uid \d+: .* time=\d+ clock=arrival")

    def test_the_terminal_keys(self):
        terminal = Terminal("run", "--camera", "demo", "--config", self.config)
        self.addCleanup(terminal.close)
        terminal.read_until("IDLE")
        terminal.read_until("fps")
        terminal.press(" ")
        terminal.read_until("REVIEWING")
        terminal.press("r")
        terminal.read_until("REVIEWING")
        wait_until(lambda: terminal.press("a") or self.photos(), "the photo")
        saved = terminal.read_until("IMG_00000001.jpg")
        self.assertIn("saved", saved)
        terminal.press("q")
        self.assertEqual(terminal.wait(), 0)

    def test_the_countdown_is_shown_in_the_terminal(self):
        self.config = self.write_config(countdown=2)
        terminal = Terminal("run", "--camera", "demo", "--config", self.config)
        self.addCleanup(terminal.close)
        terminal.read_until("IDLE")
        terminal.press(" ")
        terminal.read_until("COUNTDOWN 2")
        terminal.read_until("COUNTDOWN 1")
        terminal.press("c")
        terminal.read_until("CANCELLED")
        terminal.press("q")
        self.assertEqual(terminal.wait(), 0)
        self.assertEqual(self.photos(), [])


if __name__ == "__main__":
    unittest.main()
