#!/usr/bin/python3
"""A fake station with the HTTP interface that the page uses, in every state by command.

For the states and troubles that are hard to reach with the real one, and for working on the page
without building anything:

    Tests/Browser/mock_station.py --port 8099            # then open http://127.0.0.1:8099/
    curl -d '{"trouble":"camera"}' localhost:8099/mock    # storage, library, fault, none
    curl -d '{"set":{"state":"reviewing"}}' localhost:8099/mock
    curl -d '{"listen":"silent"}' localhost:8099/mock     # accepts, never answers; "normal" ends it

It follows the state machine only as far as a guest can tell. Standard library only.
"""

import argparse
import http.server
import io
import json
import pathlib
import random
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/KioskServer/Page"
DATA = ROOT / "Tests/Data"
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".json": "application/json",
         ".svg": "image/svg+xml", ".jpg": "image/jpeg", ".png": "image/png"}
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
          "connect-src 'self'; media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'")
TROUBLES = {
    "camera": ("cameraUnavailable", "The camera is not ready. Please ask for help.",
               "Looking for the camera again.", "The camera 'front' is not plugged in.",
               "Plug it in; it is found by itself. 'retake cameras' lists what is there."),
    "storage": ("storageFull", "There is no room for more photos. Please ask for help.",
                "Waiting for room.", "/var/lib/retake/photos has 12 MB left; 200 MB are kept.",
                "Free some space, or lower library.reserve."),
    "library": ("libraryUnavailable",
                "The photos cannot be shown right now. Please ask for help.",
                "Trying to read the library again.", "Permission denied: /srv/photos",
                "chown -R retake /srv/photos"),
    "fault": ("stationFault", "Something went wrong. Please try again.", "Starting again.",
              "The still worker ended.", "See journalctl -u retake."),
}


def frames_of(path):
    """The JPEG frames of a clip, cut at the start of each."""
    data = path.read_bytes()
    starts, at = [], data.find(b"\xff\xd8\xff")
    while at >= 0:
        starts.append(at)
        at = data.find(b"\xff\xd8\xff", at + 3)
    return [data[a:b] for a, b in zip(starts, starts[1:] + [len(data)])]


class MockStation:
    """The state that the page shows, with a server that can be stopped and started like a service."""

    def __init__(self, port=0, countdown=3.0, review=30.0, frames=None, still=None, photos=12,
                 page=PAGE):
        self.port, self.page = port, page
        self.countdown, self.review = countdown, review
        self.frames = frames or frames_of(DATA / "720p-420-4.mjpeg")
        self.still = still or cut_still(self.frames[0])
        self.lock, self.clip = threading.Condition(), None
        self.log, self.beats, self.listen = [], [], "normal"
        self.frame_age, self.frame_rate, self.frozen = 5, 30.0, False
        self.pin, self.album, self.faults, self.omitted = None, "wedding", [], 0
        # The bytes that photos may still take; None: as the trouble says.
        self.free = None
        self.deadline, self.timer = None, None
        self.sessions, self.candidates = 10, 30
        self.picked = [self.item(n) for n in range(photos, 0, -1)]
        self.server = None
        self.fresh()

    @staticmethod
    def item(number, is_movie=False):
        more = {"kind": "movie", "durationMs": 6400} if is_movie else {"kind": "image"}
        return {"id": f"P{number:05}", "album": "wedding",
                "name": f"retake-{number:05}.{'mp4' if is_movie else 'jpg'}",
                "width": 540, "height": 720, "bytes": 98765,
                "taken": f"2026-11-28T20:{number % 60:02}:00Z", **more}

    def fresh(self):
        self.state = {
            "number": 1, "instance": f"{random.getrandbits(48):012x}", "version": "0.2.0",
            "state": "idle", "session": None, "presentation": "fullScreen",
            "showsCameraControls": True, "source": None, "allowsEditing": False,
            "selectionLimit": 1, "remainingMs": None, "totalMs": None, "atEnd": None,
            "candidate": None, "isMovie": False, "media": ["image"], "captureMode": "photo",
            "slow": False, "edit": None, "frames": None, "item": None, "selection": [],
            "trouble": None, "lastPhoto": None,
            "camera": {"name": "demo", "state": "streaming", "width": 1280, "height": 720},
            "preview": {"turns": 0, "mirrored": True,
                        "crop": {"x": 370, "y": 0, "width": 540, "height": 720},
                        "frame": {"width": 1280, "height": 720}},
            "controls": {"shutter": ["button", "Space"], "accept": ["green", "Enter"],
                         "retake": ["yellow", "R"], "cancel": ["red", "Escape"]},
            "panel": [],
            "settings": {"language": "auto", "sounds": False, "slideshow": True, "gallery": True,
                         "countdownSeconds": self.countdown, "reviewSeconds": self.review,
                         "modes": ["photo"], "movieSeconds": None, "lens": "top", "fillLight": True, "title": None},
            "pinRequired": False}
        self.clear_timer()

    # -- what tests do ----------------------------------------------------------------------

    def start(self):
        """Listens; the instance is another one after a restart, as with the service."""
        station = self

        class Handler(Exchange):
            mock = station

        self.listen = "normal"
        self.server = Server((("127.0.0.1", self.port)), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self):
        """Closes every connection, as if the service had ended."""
        if self.server:
            server, self.server = self.server, None
            server.shutdown()
            server.server_close()
            server.cut()
        with self.lock:
            self.fresh()
            self.lock.notify_all()

    def restart(self, pause=0.5):
        kept = self.state["settings"]
        self.stop()
        time.sleep(pause)
        self.state["settings"] = kept
        self.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def set(self, **changes):
        """Shows these; a `remainingMs` becomes a deadline, without a change at its end."""
        with self.lock:
            if "state" in changes:
                self.clear_timer()
                if changes["state"] != "idle" and self.state["session"] is None:
                    self.sessions += 1
                    self.state["session"] = self.sessions
                if changes["state"] == "idle":
                    self.state.update(session=None, edit=None, frames=None, item=None, selection=[])
                if changes["state"] == "reviewing" and "candidate" not in changes:
                    self.candidates += 1
                    self.state["candidate"] = self.candidates
            self.state.update(changes)
            if changes.get("remainingMs") is not None:
                self.deadline = time.monotonic() + changes["remainingMs"] / 1000
            self.state["number"] += 1
            self.lock.notify_all()

    def trouble(self, kind, retry=1000):
        if kind in (None, "none"):
            return self.set(trouble=None)
        code, guest, trying, reason, fix = TROUBLES[kind]
        self.set(trouble={"kind": kind, "code": code, "guest": guest, "trying": trying,
                          "retryMs": retry,
                          "operator": None if self.pin else {"reason": reason, "fix": fix}})

    def notice(self, code, message):
        with self.lock:
            self.last_notice = {"kind": "refused", "code": code, "message": message}
            self.notices = getattr(self, "notices", 0) + 1
            self.lock.notify_all()

    def movie(self):
        with self.lock:
            if self.clip is None:
                self.clip = make_movie(self.still)
            return self.clip

    # -- a little of the machine ------------------------------------------------------------

    def clear_timer(self):
        self.deadline = None
        self.state.update(remainingMs=None, totalMs=None, atEnd=None, slow=False)
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def enter(self, state, seconds=None, then=None, **changes):
        with self.lock:
            self.set(state=state, **changes)
            if seconds is None:
                return
            self.set(remainingMs=int(seconds * 1000), totalMs=int(seconds * 1000))
            if then:
                number = self.state["number"]

                def end():
                    with self.lock:
                        if self.state["number"] == number:
                            then()
                self.timer = threading.Timer(seconds, end)
                self.timer.daemon = True
                self.timer.start()

    def command(self, name, body):
        state, session = self.state["state"], body.get("session")
        if session is not None and session != self.state["session"]:
            return False
        if name == "shutter" and state in ("idle", "live", "finished", "cancelled", "failed"):
            if state == "failed":
                self.set(trouble=None)
            if self.state["trouble"]:
                self.notice(self.state["trouble"]["code"], self.state["trouble"]["guest"])
                return False
            if state != "live":
                self.set(state="idle")
            self.count()
        elif name == "record" and state in ("idle", "live", "finished", "cancelled", "failed"):
            if "movie" not in self.state["settings"]["modes"]:
                self.notice("moviesUnavailable", "Movies cannot be recorded right now.")
                return False
            if state != "live":
                self.set(state="idle", source="camera", media=["image", "movie"])
            if "movie" not in self.state["media"]:
                return False
            self.record()
        elif name == "stop" and state == "recording":
            self.show_review(None)
        elif name == "shutter" and state == "recording":
            self.show_review(None)
        elif name == "retake" and state == "reviewing":
            self.record() if self.state["isMovie"] else self.count()
        elif name == "cancel" and state != "idle" and (
                state != "saving" or self.state["source"] != "camera"):
            ended = state in ("finished", "cancelled", "failed")
            self.idle() if ended else self.enter("cancelled", 3, self.idle)
        elif name == "extend" and self.timer:
            if state == "reviewing":
                self.show_review(self.state["candidate"])
            elif state in ("live", "browsing", "editing"):
                self.enter(state, 600, self.idle)
        elif name == "begin" and state in ("idle", "finished", "cancelled", "failed"):
            self.set(state="idle")
            self.set(source=body["source"], selectionLimit=body.get("limit", 1),
                     allowsEditing=body.get("edit", False),
                     media=["image", "movie"] if body.get("movies") else ["image"])
            self.enter("live" if body["source"] == "camera" else "browsing", 600, self.idle)
        elif name == "select" and state == "browsing":
            chosen, limit = list(self.state["selection"]), self.state["selectionLimit"]
            if limit == 1:
                chosen = []
            if limit and len(chosen) >= limit:
                self.notice("selectionLimitReached", "You cannot choose more photos.")
                return False
            self.enter("browsing", 600, self.idle,
                       selection=chosen + [body["item"]])
        elif name == "deselect" and state == "browsing":
            self.enter("browsing", 600, self.idle,
                       selection=[i for i in self.state["selection"] if i != body["item"]])
        elif name == "editor" and state == "browsing" and self.state["allowsEditing"]:
            self.enter("editing", 600, self.idle, item=body["item"])
        elif name == "edit" and state in ("editing", "reviewing"):
            self.set(edit={"crop": body.get("crop"), "quarterTurns": body.get("quarterTurns", 0)})
        elif name == "frame" and state == "reviewing" and self.state["frames"]:
            frames = self.state["frames"]
            count = len(frames["offsetsMs"])
            step = {"next": 1, "previous": -1}.get(body.get("step"))
            wanted = (frames["chosen"] + step) % count if step else body.get("frame", -1)
            if not 0 <= wanted < count:
                return False
            self.set(frames={**frames, "chosen": wanted, "ready": False})
            # As the station, which makes the still of it first.
            self.set(frames={**frames, "chosen": wanted, "ready": True})
        elif name == "back" and state == "editing":
            self.enter("browsing", 600, self.idle, item=None, edit=None)
        elif name == "accept":
            if state == "reviewing":
                self.save()
            elif state == "editing":
                chosen = list(self.state["selection"])
                item = self.state["item"]
                if self.state["selectionLimit"] == 1:
                    chosen = []
                self.enter("browsing", 600, self.idle, item=None, edit=None,
                           selection=chosen + [item] if item not in chosen else chosen)
            elif state == "browsing":
                if not self.state["selection"]:
                    self.notice("nothingSelected", "Please choose a photo first.")
                    return False
                self.save()
            else:
                return False
        else:
            return False
        return True

    def count(self):
        self.state["edit"] = None
        self.set(isMovie=False, captureMode="photo")
        if self.state["session"] is None or not self.state["source"]:
            self.state["source"] = "camera"
        self.enter("countdown", self.countdown, self.capture, candidate=None)

    def record(self):
        seconds = self.state["settings"]["movieSeconds"] or 10
        self.enter("recording", seconds, lambda: self.show_review(None), candidate=None, edit=None,
                   isMovie=True, captureMode="video")

    def capture(self):
        self.enter("capturing", 0.25, lambda: self.show_review(None))

    def show_review(self, candidate):
        changes = {"candidate": candidate} if candidate else {}
        self.enter("reviewing", self.review, lambda: self.enter("cancelled", 3, self.idle),
                   atEnd="cancel", **changes)

    def save(self):
        self.enter("saving", 0.4, self.finish)

    def finish(self):
        if self.state["source"] == "camera":
            number = len(self.picked) + 1
            self.picked.insert(0, self.item(number, self.state["isMovie"]))
            photo = self.picked[0]
            self.state["lastPhoto"] = {"id": photo["id"], "name": photo["name"]}
        self.enter("finished", 3, self.idle)

    def idle(self):
        self.enter("idle", source=None, isMovie=False, captureMode="photo", media=["image"])

    # -- what is sent -----------------------------------------------------------------------

    def snapshot(self):
        with self.lock:
            shown = dict(self.state)
            if self.deadline is not None:
                shown["remainingMs"] = max(0, int((self.deadline - time.monotonic()) * 1000))
                shown["totalMs"] = shown["totalMs"] or shown["remainingMs"]
            return shown

    def newest(self):
        return 1 if self.frozen else int(time.monotonic() * self.frame_rate)


def health(mock, checks):
    """The operator's document, in the form of the station's."""
    fix = "/media/usb is full: empty it, or plug in a larger one"
    full = [check for check in checks if check["name"] == "library" and not check["ok"]]
    return {
        "checks": checks + ([{"name": "copy", "ok": False, "detail": "/media/usb: full", "fix": fix, "code": "full"}] if full else []),
        "faults": mock.faults, "album": mock.album, "canRestart": True, "version": "0.2.0",
        "status": {
            "state": mock.state["state"], "photos": 17, "lastRefusal": "no photo to accept",
            "camera": {"name": "HD Pro Webcam C920", "state": "streaming", "mode": "1280x720 MJPG 30 fps",
                       "observedRate": 14.9, "lacksLight": True, "framesPublished": 123456, "framesDamaged": 3},
            "library": {"path": "/var/lib/retake/photos/wedding", "state": "ok", "freeBytes": mock.free if mock.free is not None else 0 if full else 12_345_678_901,
                        "copies": [{"path": "/media/usb", "state": "copying", "waiting": 3}]},
            "panel": {"buttons": [
                {"name": name, "place": place, "role": name, "state": "armed", "presses": presses}
                for name, place, presses in (("accept", "GPIO22", 16), ("shutter", "GPIO17", 21))],
                "lamps": [{"name": "ready", "place": "GPIO27", "role": "ready", "isLit": True}]},
            "deltas": {"buckets": [{"upToMilliseconds": 5, "count": 12}]}}}


def make_movie(frame):
    """Six seconds of a picture, as the station records them; nothing where ffmpeg is missing."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "movie.mp4")
        try:
            subprocess.run(
                ["ffmpeg", "-v", "error", "-framerate", "10", "-f", "image2pipe", "-i",
                 "-", "-t", "6.4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast",
                 str(path)], input=frame * 64, check=True)
            return path.read_bytes()
        except (OSError, subprocess.CalledProcessError):
            return b""


def cut_still(frame):
    """The middle of a frame as a portrait still; the frame itself where Pillow is missing."""
    try:
        from PIL import Image
    except ImportError:
        return frame
    picture = Image.open(io.BytesIO(frame))
    width = picture.height * 3 // 4
    left = (picture.width - width) // 2
    out = io.BytesIO()
    picture.crop((left, 0, left + width, picture.height)).save(out, "JPEG", quality=90)
    return out.getvalue()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, *arguments):
        self.open = set()
        super().__init__(*arguments)

    def process_request(self, request, address):
        self.open.add(request)
        super().process_request(request, address)

    def shutdown_request(self, request):
        self.open.discard(request)
        super().shutdown_request(request)

    def cut(self):
        for request in list(self.open):
            try:
                request.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def handle_error(self, request, address):
        pass


class Exchange(http.server.BaseHTTPRequestHandler):
    mock = None
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", kind="application/json", **headers):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", headers.pop("cache", "no-store"))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def problem(self, status, title, **more):
        self.answer(status, {"type": "about:blank", "title": title, "status": status, **more},
                    "application/problem+json")

    def silent(self):
        """As a socket unit does for a stopped service: the connection stands, nothing comes."""
        while self.mock.listen == "silent" and self.mock.server:
            time.sleep(0.05)
        self.close_connection = True
        return True

    def do_GET(self):
        mock, url = self.mock, urllib.parse.urlsplit(self.path)
        path, query = url.path, dict(urllib.parse.parse_qsl(url.query))
        if mock.listen == "silent":
            return self.silent()
        if path == "/":
            return self.asset("index.html")
        if path.startswith("/page/"):
            return self.asset(path[6:])
        if path == "/healthz":
            return self.answer(200, b"ok\n", "text/plain")
        if path == "/api/v1/state":
            return self.answer(200, mock.snapshot())
        if path == "/api/v1/events":
            return self.events()
        if path == "/api/v1/preview":
            return self.preview(int(query.get("after", -1)))
        if path.startswith("/api/v1/review/") and path.endswith(".mp4"):
            return self.ranged(mock.movie(), "video/mp4")
        if path.startswith("/api/v1/review/"):
            return self.answer(200, mock.still, "image/jpeg")
        if path == "/api/v1/photos":
            first = int(query.get("before", 0))
            limit = int(query.get("limit", 50))
            part = mock.picked[first:first + limit]
            more = first + limit < len(mock.picked)
            return self.answer(200, {"photos": part, "total": len(mock.picked),
                                     "omitted": mock.omitted, "next": str(first + limit) if more else None,
                                     "unshown": {"count": 0, "formats": []}})
        if path.startswith("/api/v1/photos/"):
            number = urllib.parse.unquote(path.split("/")[4])
            if path.endswith("/original") and any(
                    item["id"] == number and item["kind"] == "movie" for item in mock.picked):
                return self.ranged(mock.movie(), "video/mp4")
            still = mock.still
            return self.answer(200, still, "image/jpeg", cache="private, max-age=3600")
        if path == "/api/v1/health":
            if not self.is_operator():
                return None
            trouble = mock.state["trouble"]
            kind = trouble["kind"] if trouble else None
            checks = []
            for name in ("camera", "storage"):
                bad = kind == name
                checks.append({"name": name.replace("storage", "library"), "ok": not bad,
                               "detail": TROUBLES[name][3] if bad else "as it should be",
                               **({"fix": TROUBLES[name][4], "code": {"camera": "no-camera", "storage": "full"}[name]}
                                  if bad else {})})
            return self.answer(200, health(mock, checks))
        if path == "/api/v1/operator/test-shot":
            if not self.is_operator():
                return None
            mock.log.append(("test-shot", {}))
            return self.answer(200, mock.still, "image/jpeg")
        self.problem(404, "There is nothing here.")

    def is_operator(self, needs_pin=False):
        """Returns whether the PIN is right, and sends the refusal if it is not."""
        if needs_pin and not self.mock.pin:
            self.problem(403, "Forbidden", detail="that is done here only with a PIN", fix="set web.pin")
            return False
        if self.mock.pin and self.headers.get("X-Retake-Pin") != self.mock.pin:
            self.problem(401, "The PIN is wrong.")
            return False
        return True

    def do_DELETE(self):
        mock = self.mock
        if not self.is_operator(needs_pin=True):
            return None
        name = urllib.parse.unquote(self.path.split("/")[4])
        mock.picked = [item for item in mock.picked if item["id"] != name]
        mock.log.append(("delete", {"id": name}))
        return self.answer(204)

    def ranged(self, body, kind):
        """Sends the requested byte range, as players ask for one."""
        first, _, last = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        if not first:
            return self.answer(200, body, kind, Accept_Ranges="bytes")
        first, last = int(first), min(int(last or len(body) - 1), len(body) - 1)
        self.answer(206, body[first:last + 1], kind,
                    Content_Range=f"bytes {first}-{last}/{len(body)}")

    def asset(self, name):
        path = (self.mock.page / name).resolve()
        if self.mock.page.resolve() not in path.parents or not path.is_file():
            return self.problem(404, "There is nothing here.")
        self.answer(200, path.read_bytes(), TYPES[path.suffix], cache="no-cache")

    def preview(self, after):
        mock, end = self.mock, time.monotonic() + 2
        if mock.state["trouble"] and mock.state["trouble"]["kind"] == "camera":
            time.sleep(0.5)
            return self.answer(204)
        while mock.newest() <= after and time.monotonic() < end and mock.server:
            time.sleep(0.004)
        number = mock.newest()
        if number <= after:
            return self.answer(204)
        self.answer(200, mock.frames[number % len(mock.frames)], "image/jpeg",
                    X_Retake_Frame=number, X_Retake_Age_Ms=mock.frame_age)

    def events(self):
        mock = self.mock
        server = mock.server
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        sent, notices, beat = -1, getattr(mock, "notices", 0), time.monotonic()
        while mock.server is server:
            if mock.listen != "normal":
                time.sleep(0.05)
                continue
            with mock.lock:
                if mock.state["number"] == sent and getattr(mock, "notices", 0) == notices:
                    mock.lock.wait(0.1)
                number = mock.state["number"]
            if number != sent:
                shown = mock.snapshot()
                sent = shown["number"]
                self.event("state", shown, sent)
            if getattr(mock, "notices", 0) != notices:
                notices = mock.notices
                self.event("notice", mock.last_notice)
            if time.monotonic() - beat >= 1:
                beat = time.monotonic()
                self.event("heartbeat", {})

    def event(self, kind, data, number=None):
        text = f"event: {kind}\n" + (f"id: {number}\n" if number is not None else "")
        self.wfile.write(f"{text}data: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()

    def do_POST(self):
        mock = self.mock
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(body) if body else {}
        if self.path == "/mock":
            return self.control(body)
        if mock.listen == "silent":
            return self.silent()
        name = self.path.removeprefix("/api/v1/")
        if name.startswith("operator/"):
            if not self.is_operator(needs_pin=True):
                return None
            mock.log.append((name, body))
            if name == "operator/album":
                mock.album = f"{mock.album}-2"
                return self.answer(200, {"album": mock.album})
            return self.answer(204)
        if name == "heartbeat":
            mock.beats.append((time.monotonic(), body))
            return self.answer(204)
        mock.log.append((name, body))
        with mock.lock:
            done = mock.command(name, body)
        if done:
            return self.answer(200, mock.snapshot())
        self.problem(409, "That does not fit now.")

    def control(self, body):
        mock = self.mock
        if "trouble" in body:
            mock.trouble(body["trouble"])
        if "listen" in body:
            mock.listen = body["listen"]
        if "pin" in body:
            mock.pin = body["pin"]
            mock.set(pinRequired=bool(mock.pin))
        if "set" in body:
            mock.set(**body["set"])
        if "age" in body:
            mock.frame_age = body["age"]
        self.answer(204)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--countdown", type=float, default=3)
    parser.add_argument("--review", type=float, default=30)
    options = parser.parse_args()
    mock = MockStation(options.port, options.countdown, options.review).start()
    print(mock.url, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
