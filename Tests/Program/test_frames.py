"""The frames around the press, on the demo camera, whose pictures carry their number."""

import json
import os
import unittest

from station import StationCase, Terminal, wait_until


class Frames(StationCase):
    def review(self):
        """Presses; gives the frames that the review offers."""
        self.assertEqual(self.trigger("shutter")[0], 0)
        return wait_until(lambda: (s := self.status()) and s.get("frames"), "the frames")

    def accept(self):
        wait_until(lambda: self.trigger("accept")[0] == 0, "the accept")
        return wait_until(lambda: (s := self.status()) and s.get("lastPhoto"), "the photo")

    def test_another_frame_is_kept_and_only_that_one(self):
        log = os.path.join(self.dir, "frames")
        self.start("--source-log", log)
        offered = self.review()
        count = len(offered["offsetsMilliseconds"])
        self.assertLessEqual(count, 5)
        self.assertEqual(offered["chosen"], offered["nearest"])
        self.assertEqual(
            min(offered["offsetsMilliseconds"], key=abs), offered["offsetsMilliseconds"][offered["nearest"]])
        self.assertEqual(sorted(offered["offsetsMilliseconds"]), offered["offsetsMilliseconds"])
        for step in range(1, count):
            code, text = self.trigger("next")[:2]
            self.assertEqual(code, 0, text)
        # Once round but for one: the one before the nearest.
        wanted = (offered["nearest"] - 1) % count
        self.assertEqual(self.status()["frames"]["chosen"], wanted)
        photo = self.accept()
        self.assertEqual(self.photos(), [photo["path"]])
        self.assert_upright_portrait(photo["path"])
        self.assertEqual(photo["framesFromNearest"], wanted - offered["nearest"])
        # By the number in the picture and the camera's own log, not by what the program says.
        frames = dict(map(int, line.split()) for line in open(log))
        delta = (frames[self.number_in(photo["path"])] - photo["momentNanoseconds"]) / 1e6
        self.assertAlmostEqual(delta, offered["offsetsMilliseconds"][wanted], delta=0.01)
        self.assertAlmostEqual(delta, photo["deltaMilliseconds"], delta=0.01)

    def test_the_nearest_frame_is_kept_where_nobody_chooses(self):
        log = os.path.join(self.dir, "frames")
        self.config = self.write_config(review=2, at_end="accept")
        self.start("--source-log", log)
        self.review()
        photo = wait_until(lambda: (s := self.status()) and s.get("lastPhoto"), "the photo")
        self.assertEqual(photo["framesFromNearest"], 0)
        frames = dict(map(int, line.split()) for line in open(log))
        distance = abs(frames[self.number_in(photo["path"])] - photo["pressNanoseconds"])
        self.assertEqual(distance, min(abs(t - photo["pressNanoseconds"]) for t in frames.values()))

    def test_one_frame_is_as_before(self):
        self.config = self.write_config(more="")
        with open(self.config) as file:
            text = file.read().replace("[review]", "[review]\nframes = 1")
        with open(self.config, "w") as file:
            file.write(text)
        self.start()
        self.trigger("shutter")
        self.wait_for_state("reviewing")
        answer = self.trigger("next")
        self.assertEqual(answer[0], 1)
        self.assertIn("[review] frames", "".join(map(str, answer[1:])))
        self.assertIsNone(self.status().get("frames"))

    def test_a_number_out_of_range_is_refused(self):
        for number in ("0", "6", "-1", "x"):
            result = self.run_retake("pick", "--source", "camera", "--frames", number, "--config", self.config)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("--frames", result.stderr)

    def test_a_frame_is_chosen_at_the_terminal(self):
        terminal = Terminal(
            "pick", "--source", "camera", "--camera", "demo", "--config", self.config)
        self.addCleanup(terminal.close)
        terminal.read_until("Space")
        terminal.press(" ")
        terminal.read_until("n, p: another frame")
        terminal.press("\x1b[C")
        terminal.read_until("n, p: another frame")

        def accepted():
            terminal.press("a")
            return self.photos()
        wait_until(accepted, "the photo")
        self.assertEqual(terminal.wait(), 0)


if __name__ == "__main__":
    unittest.main()
