"""Movies: every frame in order at its time, review, save, and what is left after kills."""

import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from station import RETAKE, StationCase, wait_until

RIG = pathlib.Path(__file__).resolve().parents[1] / "Rig"
sys.path.insert(0, str(RIG))
import frame_number  # noqa: E402

CLIPS = os.path.join(tempfile.gettempdir(), f"retake-clips-{os.getuid()}")
RATE = 15


def numbered_clip(name):
    """A clip whose frames carry their numbers, made once."""
    subprocess.run(
        [sys.executable, str(RIG / "make_clip.py"), name, CLIPS], check=True,
        stderr=subprocess.DEVNULL)
    return os.path.join(CLIPS, f"{name}.mjpeg")


def probe(path):
    """Returns ffprobe's description of the file's one stream, and the times of its pictures in seconds."""
    result = subprocess.run(
        ["ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format",
         "-show_packets", path], capture_output=True, text=True, check=True)
    assert result.stderr == "", result.stderr
    details = json.loads(result.stdout)
    (stream,) = details["streams"]
    stream["format"] = details["format"]
    return stream, [float(packet["pts_time"]) for packet in details["packets"]]


def numbers(path, width, height):
    """The numbers of all pictures, as they are decoded; None where one cannot be read."""
    result = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-vsync", "0", "-f", "rawvideo", "-pix_fmt", "gray",
         "-"], capture_output=True, check=True)
    assert result.stderr == b"", result.stderr
    size, data = width * height, result.stdout
    assert len(data) % size == 0
    return [
        frame_number.read(lambda x, y, at=at: data[at + y * width + x], width, height)
        for at in range(0, len(data), size)]


def sent(path):
    """(number, nanoseconds) of the frames that the clip sent."""
    with open(path) as file:
        return [tuple(map(int, line.split())) for line in file]


class MovieCase(StationCase):
    def movies(self):
        """Every movie below the library, whatever its name."""
        def is_movie(path):
            with open(path, "rb") as file:
                return file.read(8)[4:] == b"ftyp"
        return sorted(str(path) for path in pathlib.Path(self.library).rglob("*")
                      if path.is_file() and is_movie(path))

    def assert_is_as_sent(self, path, report, log, size):
        """Every frame between the first and the last, in order, each at its own time."""
        stream, times = probe(path)
        frames = [row for row in sent(log)
                  if report["startNanoseconds"] <= row[1] <= report["lastNanoseconds"]]
        self.assertEqual(numbers(path, *size), [number for number, _ in frames])
        self.assertEqual(len(times), len(frames))
        for time, (number, nanoseconds) in zip(times, frames):
            wanted = (nanoseconds - report["startNanoseconds"]) / 1e9
            self.assertLess(abs(time - wanted), 0.002, f"frame {number}")
        self.assertEqual(report["frames"], len(frames))
        self.assertEqual(report["framesLost"], 0)
        return stream


class Snaps(MovieCase):
    clip_name = "480p-420-nodht-90"

    def snap(self, *arguments, more="", status=0, **options):
        self.config = self.write_config(more=more)
        self.file = os.path.join(self.dir, "movie.mp4")
        self.source_log = os.path.join(self.dir, "sent")
        result = self.run_retake(
            "snap", "--camera", f"clip:{numbered_clip(self.clip_name)}", "--fps", str(RATE),
            "--config", self.config, "--output", self.file, "--source-log", self.source_log,
            "--json", "--log", "error", *arguments, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout) if result.stdout else result.stderr

    def test_h264_holds_every_frame_at_its_time(self):
        movie = self.snap("--movie", "2", more='[movie]\ncodec = "h264"')
        self.assertEqual((movie["width"], movie["height"]), (360, 480))
        stream = self.assert_is_as_sent(
            self.file, movie["movie"], self.source_log, (360, 480))
        self.assertEqual(
            (stream["codec_name"], stream["pix_fmt"], stream["width"], stream["height"]),
            ("h264", "yuv420p", 360, 480))
        self.assertLessEqual(float(stream["format"]["duration"]), 2.1)

    def test_copies_hold_every_frame_at_its_time(self):
        movie = self.snap("--movie", "2", more='[movie]\ncodec = "copy"')
        # Passed through as it is, so the portrait is marked and not cut.
        self.assertEqual((movie["width"], movie["height"]), (360, 480))
        stream = self.assert_is_as_sent(
            self.file, movie["movie"], self.source_log, (640, 480))
        self.assertEqual(stream["codec_name"], "mjpeg")

    def test_copies_are_upright(self):
        self.snap("--movie", "0.5",
                  more='[movie]\ncodec = "copy"\n[orientation]\nmount = 90')
        stream, _ = probe(self.file)
        (turn,) = [side["rotation"] for side in stream["side_data_list"] if "rotation" in side]
        self.assertEqual(turn % 360, 270)

    def test_the_tables_come_first(self):
        self.snap("--movie", "0.5")
        with open(self.file, "rb") as file:
            content = file.read()
        self.assertLess(content.index(b"moov"), content.index(b"mdat"))
        self.assertLess(content.index(b"moov"), 100)

    def test_a_boomerang_goes_forward_and_back(self):
        movie = self.snap("--movie", "1", more="[movie]\nboomerang = 6")
        order = numbers(self.file, 360, 480)
        first = order[0]
        around = [0, 1, 2, 3, 4, 5, 4, 3, 2, 1]
        # Left-out frames of a busy machine make gaps, but never another order.
        self.assertEqual(len(order), 30)
        self.assertEqual(order[:6], sorted(order[:6]))
        self.assertEqual(order[6:10], order[4:0:-1])
        self.assertEqual(order[:10] * 3, order)
        self.assertEqual(len(around), 10)
        self.assertEqual(order[0], first)
        self.assertEqual(movie["movie"]["frames"], 30)

    def test_a_full_disk_leaves_what_fits(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
        movie = self.snap("--movie", "5", more='[movie]\ncodec = "copy"', status=5,
                          preexec_fn=limit)
        self.assertEqual(movie["movie"]["end"], "full")
        self.assertIn("no room", movie["movie"]["problem"])
        read = numbers(self.file, 640, 480)
        self.assertEqual(len(read), movie["movie"]["frames"])
        self.assertNotIn(None, read)
        self.assertGreater(len(read), 3)

    def test_hostile_values(self):
        for more, words in (
                ('codec = "h265"', ['"auto"', '"h264"', '"copy"']),
                ("codec = 3", ["string"]),
                ("maximum = 0", ["0.5", "600"]), ("maximum = 601", ["0.5", "600"]),
                ("maximum = -1", ["0.5", "600"]), ("maximum = nan", ["number"]),
                ("preroll = 6", ["0", "5"]), ("boomerang = 1", ["2", "120"]),
                ("boomerang = 121", ["120"]), ("boomerang = 9223372036854775807", ["120"]),
                ('preset = "placebo"', ['"veryfast"', '"ultrafast"']),
                ("quality = 0", ["1", "100"]), ("quality = 1.5", ["whole"]),
                ("kodec = 1", ["codec"])):
            with self.subTest(more):
                text = self.snap("--movie", "1", more=f"[movie]\n{more}", status=2)
                for word in words:
                    self.assertIn(word, text)
                self.assertFalse(os.path.exists(self.file))
        for length in ("0", "-1", "601", "nan", "inf", "ten", ""):
            with self.subTest(length):
                self.assertIn("from 0.1 to 600", self.snap("--movie", length, status=2))


    def interrupt(self, *arguments, signal_number=signal.SIGINT, after=None, more="", clip=None):
        """Presses Ctrl-C once `after` says so; the exit status and what was written."""
        self.config = self.write_config(more=more or '[movie]\ncodec = "copy"')
        folder = os.path.join(self.dir, "out")
        os.makedirs(folder, exist_ok=True)
        self.file = os.path.join(folder, "movie.mp4" if "--movie" in arguments else "photo.jpg")
        self.source_log = os.path.join(self.dir, "sent")
        process = subprocess.Popen(
            [RETAKE, "snap", "--camera", clip or f"clip:{numbered_clip(self.clip_name)}",
             "--fps", str(RATE), "--config", self.config, "--output", self.file,
             "--source-log", self.source_log, "--json", "--log", "error", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        wait_until(lambda: (after or self.has_sent)(), "the moment for Ctrl-C")
        process.send_signal(signal_number)
        output, errors = process.communicate(timeout=60)
        return process.returncode, output, errors, sorted(os.listdir(folder))

    def has_sent(self, count=12):
        return os.path.exists(self.source_log) and len(sent(self.source_log)) >= count

    def test_ctrl_c_ends_the_movie_with_what_there_is(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for codec, size in (("copy", (640, 480)), ("h264", (360, 480))):
                with self.subTest(codec=codec, signal=number):
                    status, output, errors, names = self.interrupt(
                        "--movie", "60", signal_number=number,
                        more=f'[movie]\ncodec = "{codec}"\npreset = "ultrafast"')
                    self.assertEqual((status, names), (0, ["movie.mp4"]), errors)
                    report = json.loads(output)["movie"]
                    self.assertEqual(report["end"], "stopped")
                    self.assert_is_as_sent(self.file, report, self.source_log, size)
                    os.unlink(self.file)
                    os.unlink(self.source_log)

    def test_ctrl_c_before_the_first_picture_leaves_nothing(self):
        # A clip of which nothing can be shown: frames are waited for.
        clip = os.path.join(self.dir, "broken.mjpeg")
        with open(numbered_clip(self.clip_name), "rb") as whole, open(clip, "wb") as broken:
            broken.write(whole.read(4000))
        for arguments in (("--movie", "5"), ()):
            with self.subTest(arguments):
                status, output, errors, names = self.interrupt(
                    *arguments, clip=f"clip:{clip}", after=lambda: self.has_sent(3))
                self.assertEqual((status, output, names), (1, "", []), errors)
                self.assertIn("interrupted", errors)
                os.unlink(self.source_log)

    def test_a_kill_leaves_nothing(self):
        status, _, _, names = self.interrupt("--movie", "60", signal_number=signal.SIGKILL)
        self.assertEqual((status, names), (-signal.SIGKILL, []))


class Picks(MovieCase):
    def test_a_movie_is_picked_without_anybody_there(self):
        self.config = self.write_config(more='[movie]\ncodec = "copy"')
        result = self.run_retake(
            "pick", "--source", "camera", "--media", "movie", "--seconds", "1", "--json",
            "--camera", f"clip:{numbered_clip('480p-420-nodht-90')}", "--config", self.config,
            stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 0, result.stderr)
        (medium,) = json.loads(result.stdout)["media"]
        self.assertEqual(medium["mediaType"], "public.movie")
        self.assertEqual(self.movies(), [medium["mediaURL"]])
        self.assertNotIn(None, numbers(medium["mediaURL"], 640, 480))

    def test_what_cannot_be_asked_for(self):
        for arguments, word in (
                (("--source", "camera", "--media", "sound"), "image, movie or both"),
                (("--source", "camera", "--seconds", "3"), "--media"),
                (("--source", "camera", "--media", "movie", "--seconds", "0"), "0.5"),
                (("--media", "movie", "--select", "newest", "--seconds", "3"), "--source camera"),
                (("--source", "camera", "--camera", "demo", "--media", "movie", "--seconds",
                  "60"), "maximum")):
            with self.subTest(arguments):
                result = self.run_retake(
                    "pick", *arguments, "--config", self.config, stdin=subprocess.DEVNULL)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(word, result.stderr)


class Sessions(MovieCase):
    clip = None

    def start_movies(self, more="", *arguments, **options):
        self.config = self.write_config(more=more or '[movie]\npreroll = 0.3\nmaximum = 5')
        self.source_log = os.path.join(self.dir, "sent")
        process = self.start(
            "--camera", f"clip:{self.clip or numbered_clip('480p-420-nodht-90')}", "--fps",
            str(RATE), "--source-log", self.source_log, *arguments, **options)
        wait_until(lambda: (self.status() or {}).get("movies", {}).get("codec"), "an encoder")
        # Whether there is room for one is asked after that.
        wait_until(lambda: self.begin_movie(), "a movie")
        return process

    def begin_movie(self):
        status, _ = self.trigger("record")
        return status == 0

    def enough_frames(self, count=5):
        wait_until(lambda: self.status()["movies"]["frames"] >= count, f"{count} frames")

    def accept(self):
        wait_until(lambda: self.trigger("accept")[0] == 0, "an accept that counts")

    def test_a_movie_is_recorded_reviewed_and_saved(self):
        self.start_movies()
        self.assertEqual(self.wait_for_state("recording")["movies"]["isRecording"], True)
        self.enough_frames()
        self.assertEqual(self.movies(), [])
        self.trigger("record")
        self.wait_for_state("reviewing")
        self.assertEqual(self.movies(), [])
        self.accept()
        status = self.wait_for_state("idle")
        (path,) = self.movies()
        self.assertTrue(path.endswith("/IMG_00000001.mp4"), path)
        self.assertEqual(status["lastPhoto"]["path"], path)
        report = status["lastPhoto"]["movie"]
        self.assert_is_as_sent(path, report, self.source_log, (360, 480))
        self.assertEqual(report["end"], "stopped")

        def row():
            rows = json.loads(self.run_retake(
                "photos", "list", "--json", "--config", self.config).stdout or "[]")
            return rows[0] if rows else None
        row = wait_until(row, "the catalog's row")
        self.assertEqual((row["name"], row["kind"]), ("IMG_00000001.mp4", "movie"))
        self.assertEqual((row["width"], row["height"]), (360, 480))
        self.assertLess(abs(row["durationMilliseconds"] - report["durationMilliseconds"]), 2)
        self.assertTrue(row["hasThumbnail"])

        # The next photo has the next number.
        self.trigger("shutter")
        self.wait_for_state("reviewing")
        self.accept()
        self.wait_for_state("idle")
        self.assertTrue(self.status()["lastPhoto"]["path"].endswith("/IMG_00000002.jpg"))

    def test_a_movie_ends_by_itself_when_it_is_as_long_as_it_may_be(self):
        self.start_movies("[movie]\nmaximum = 0.7\npreroll = 0")
        self.wait_for_state("reviewing")
        self.accept()
        report = self.wait_for_state("idle")["lastPhoto"]["movie"]
        self.assertEqual(report["end"], "maximum")
        self.assertLessEqual(report["durationMilliseconds"], 700 + 2 * 1000 // RATE)

    def test_a_camera_that_gives_no_more_leaves_a_movie_for_review(self):
        clip = os.path.join(self.dir, "clip.mjpeg")
        shutil.copy(numbered_clip("480p-420-nodht-90"), clip)
        self.clip = clip
        self.start_movies('[movie]\ncodec = "copy"\nmaximum = 60')
        self.enough_frames(10)
        # As with a pulled cable: from one moment on there is not one whole frame.
        os.truncate(clip, 0)
        self.wait_for_state("reviewing")
        self.assertEqual(self.movies(), [])
        self.accept()
        status = self.wait_for_state("idle")
        (path,) = self.movies()
        report = status["lastPhoto"]["movie"]
        self.assertEqual(report["end"], "camera-lost")
        self.assertGreaterEqual(report["frames"], 10)
        self.assert_is_as_sent(path, report, self.source_log, (640, 480))
        self.assertIn("it ended early: the camera gave no more frames", self.log())

    def test_a_disk_that_fills_ends_the_movie_at_what_fits(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        self.start_movies('[movie]\ncodec = "copy"\nmaximum = 60\npreroll = 0', preexec_fn=limit)
        self.wait_for_state("reviewing")
        self.accept()
        status = self.wait_for_state("idle")
        (path,) = self.movies()
        report = status["lastPhoto"]["movie"]
        self.assertEqual(report["end"], "full")
        self.assertIn("no room", report["problem"])
        self.assertLessEqual(report["bytes"], 1_000_000)
        read = numbers(path, 640, 480)
        self.assertEqual(len(read), report["frames"])
        self.assertGreater(len(read), 3)
        self.assertNotIn(None, read)
        self.assertIn("it ended early: there is no room left for the movie", self.log())

    @unittest.skipUnless(os.geteuid() == 0, "needs to mount")
    def test_a_disk_without_room_for_the_longest_movie_takes_photos_only(self):
        # A disk of its own: what others write and delete changes nothing.
        os.makedirs(self.library)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700m", "tmpfs", self.library])
        if mounted.returncode != 0:
            self.skipTest("this machine cannot mount")
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.library])
        # At up to four bits a pixel, 600 s of 640x480 at 15 frames are 1.4 GB.
        self.config = self.write_config(more='[movie]\ncodec = "copy"\nmaximum = 600')
        self.start("--camera", f"clip:{numbered_clip('480p-420-nodht-90')}", "--fps", str(RATE))
        wait_until(lambda: self.status()["movies"].get("codec"), "an encoder")

        def refused():
            status, words = self.trigger("record")
            self.assertNotEqual(status, 0)
            return "no room is left for the longest movie" in words
        wait_until(refused, "a refusal that tells of the disk")
        self.trigger("cancel")
        self.wait_for_state("idle")
        self.assertEqual(self.trigger("shutter")[0], 0)
        self.wait_for_state("reviewing")
        self.accept()
        self.wait_for_state("idle")
        self.assertEqual(self.movies(), [])
        self.assertEqual(self.status()["photos"], 1)

    def test_what_is_cancelled_is_nowhere(self):
        self.start_movies()
        self.enough_frames()
        self.assertEqual(self.trigger("cancel")[0], 0)
        self.wait_for_state("idle")
        self.assertEqual(self.movies(), [])
        wait_until(self.begin_movie, "another movie")
        self.enough_frames()
        self.trigger("record")
        self.wait_for_state("reviewing")
        self.trigger("cancel")
        self.wait_for_state("idle")
        self.assertEqual(self.movies(), [])
        self.assertEqual(self.status()["photos"], 0)

    def test_a_retake_shows_the_live_picture_and_records_anew(self):
        self.start_movies()
        self.enough_frames()
        self.trigger("record")
        self.wait_for_state("reviewing")
        self.trigger("retake")
        self.wait_for_state("live")
        self.assertEqual(self.movies(), [])
        wait_until(self.begin_movie, "another movie")
        self.enough_frames()
        self.trigger("record")
        self.wait_for_state("reviewing")
        self.accept()
        self.wait_for_state("idle")
        (path,) = self.movies()
        self.assert_is_as_sent(
            path, self.status()["lastPhoto"]["movie"], self.source_log, (360, 480))

    def test_a_kill_leaves_nothing_that_was_not_accepted(self):
        for state in ("recording", "reviewing", "saving"):
            with self.subTest(state):
                process = self.start_movies()
                self.enough_frames()
                if state != "recording":
                    self.trigger("record")
                    self.wait_for_state("reviewing")
                if state == "saving":
                    self.accept()
                process.kill()
                process.wait()
                found = self.movies()
                if state != "saving":
                    self.assertEqual(found, [])
                for path in found:
                    self.assertNotIn(None, numbers(path, 360, 480))
                    os.unlink(path)
                names = [path.name for path in pathlib.Path(self.library).rglob("*.part")]
                self.assertEqual(names, [])


if __name__ == "__main__":
    unittest.main()
