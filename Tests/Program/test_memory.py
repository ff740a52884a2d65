"""Memory budgets: the peak of the program where pictures, viewers and movies are many or large."""

import json
import os
import socket
import subprocess
import time
import unittest

from station import RETAKE, StationCase, wait_until
from test_web import free_port

# The program itself and its libraries; MemoryBudget in the sources has the rest.
BASE = 100
# Sanitizers keep freed memory, and have some for each byte.
WATCHED = b"__asan_init" in open(RETAKE, "rb").read() or b"__tsan_init" in open(RETAKE, "rb").read()


def jpeg(width, height):
    """A picture with much in it, by libjpeg-turbo's own tool."""
    row = bytes((x * 7 + (x >> 3) * 31) & 255 for x in range(width * 3))
    pixels = b"".join(row[y % 97 * 3:] + row[:y % 97 * 3] for y in range(height))
    header = b"P6 %d %d 255\n" % (width, height)
    return subprocess.run(
        ["cjpeg", "-quality", "60", "-sample", "2x1"], input=header + pixels, capture_output=True,
        check=True).stdout


def peak(pid):
    """The most memory that a process has had, in MB."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


@unittest.skipIf(WATCHED, "skipped: a sanitizer's memory is not the program's")
class Memory(StationCase):
    def test_pictures_that_are_chosen_are_not_held(self):
        stick = os.path.join(self.dir, "stick")
        os.mkdir(stick)
        small = jpeg(640, 480)
        # 24 MB each, most of it in comments: what is measured is what is kept, not how it is opened.
        comment = b"\xff\xfe\xff\xff" + bytes(0xFFFD)
        with open(os.path.join(stick, "0.jpg"), "wb") as file:
            file.write(small[:2] + comment * 384 + small[2:])
        names = ["0.jpg"]
        for number in range(1, 16):
            names.append(f"{number}.jpg")
            os.link(os.path.join(stick, "0.jpg"), os.path.join(stick, names[-1]))
        with open(self.config) as file:
            text = file.read()
        with open(self.config, "w") as file:
            file.write(text.replace("[socket]", f"roots = {json.dumps([stick])}\n[socket]"))
        select = ",".join(f".1/{name}" for name in names)
        process = subprocess.Popen(
            [RETAKE, "pick", "--config", self.config, "--limit", "0", "--select", select],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        output, words = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, words)
        self.assertEqual(len(output.split()), 16)
        # A file and what it becomes, of 16 that are 384 MB.
        self.assertLess(usage.ru_maxrss / 1024, BASE + 150)

    def test_a_large_camera_with_movies_and_viewers_that_do_not_read(self):
        clip = os.path.join(self.dir, "clip.mjpeg")
        picture = jpeg(4000, 3000)
        with open(clip, "wb") as file:
            file.write(picture * 2)
        port = free_port()
        self.config = self.write_config(
            review=300, more=f'[web]\nlisten = "127.0.0.1:{port}"\n')
        process = self.start("--camera", f"clip:{clip}")
        wait_until(lambda: (self.status() or {}).get("movies", {}).get("codec"), "a trial")
        # The encoder's trial at the start took 577 MB.
        self.assertLess(peak(process.pid), BASE + 220)
        self.trigger("shutter")
        session = self.wait_for_state("reviewing", process)["session"]
        viewers = []
        for _ in range(200):
            viewer = socket.socket()
            viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            viewer.connect(("127.0.0.1", port))
            self.addCleanup(viewer.close)
            viewer.sendall(
                f"GET /api/v1/review/{session}.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            viewers.append(viewer)
        for viewer in viewers:
            viewer.settimeout(60)
            self.assertTrue(viewer.recv(1))
        before = peak(process.pid)
        self.assertLess(before, BASE + 220)
        for viewer in viewers:
            viewer.close()
        self.trigger("cancel")
        self.wait_for_state("idle", process)
        self.trigger("record")
        self.wait_for_state("recording", process)
        begin = time.monotonic()
        wait_until(
            lambda: (self.status() or {}).get("movies", {}).get("frames", 0) > 12
            or time.monotonic() - begin > 20, "some frames")
        self.trigger("record")
        self.wait_for_state("reviewing", process)
        self.assertLess(peak(process.pid), BASE + 300)
        self.trigger("cancel")
        self.wait_for_state("idle", process)


if __name__ == "__main__":
    unittest.main()
