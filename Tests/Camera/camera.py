"""A PTP camera, apart from how it is connected: its state, exposures, files and misbehaviours."""

import dataclasses
import random
import threading
import time

import ptp
from pictures import Pictures


def now():
    """Returns CLOCK_MONOTONIC in seconds."""
    return time.monotonic()


@dataclasses.dataclass
class Behaviour:
    """The camera's manners; each field is an option of the command line and of the control socket."""

    # From full press to the exposure's centre, and how far it varies, in seconds.
    lag: float = 0.1
    jitter: float = 0.0
    # The time that focus takes; with `no_focus` it never comes.
    focus_time: float = 0.2
    no_focus: bool = False
    # From the exposure to the file's announcement.
    processing: float = 0.15
    # The files of an exposure: "jpeg", "raw" or "both".
    files: str = "jpeg"
    card_full: bool = False
    no_card: bool = False
    # So many operations are answered with DeviceBusy.
    busy: int = 0
    # The download: bytes that are missing at the end, or a part that is no JPEG.
    truncate: int = 0
    empty: bool = False
    garbage: bool = False
    # The live view ends by itself after so many seconds; 0 for never.
    live_limit: float = 0.0
    # The name of an operation that stalls, and for how many seconds.
    stall: str = ""
    stall_time: float = 0.0
    # The connection is cut at this operation.
    death: str = ""
    # Events that are not reported, or twice.
    lose_events: bool = False
    double_events: bool = False
    # A sleeping camera answers nothing.
    asleep: bool = False
    odd_names: bool = False
    battery: int = 90


@dataclasses.dataclass
class File:
    """A file of the camera, on its card or in its memory."""

    name: str
    form: int
    data: bytes
    on_card: bool
    moment: int


class Gone(Exception):
    """The camera has ended the connection."""


class Camera:
    """One camera; a persona answers the operations, a transport brings them."""

    def __init__(self, persona, width=6000, height=4000, live=(960, 640), serial="0123456789",
                 seed=1):
        self.persona, self.serial = persona, serial
        self.size = (width, height)
        self.behaviour = Behaviour()
        self.lock = threading.RLock()
        self.files, self.events, self.history = {}, [], []
        self.count = 0
        self.live_since = None
        self.random = random.Random(seed)
        self.photos = Pictures(width, height)
        self.live = Pictures(*live)

    # The history ----------------------------------------------------------------------------------

    def note(self, what, **details):
        """Adds an entry to the history that tests read."""
        with self.lock:
            self.history.append({"time": now(), "what": what, **details})

    def card(self):
        """Returns the names of the files on the card."""
        with self.lock:
            return [file.name for file in self.files.values() if file.on_card]

    # Exposures ---------------------------------------------------------------------------------

    def expose(self, to_card, needs_focus=False):
        """Begins an exposure; returns the response code, and the date of its centre."""
        manners = self.behaviour
        wait = 0.0
        if needs_focus:
            if manners.no_focus:
                self.note("no focus")
                return ptp.OK, None
            wait = manners.focus_time
        if to_card and (manners.card_full or manners.no_card):
            self.note("refused", reason="card")
            return ptp.STORE_FULL, None
        lag = manners.lag + self.random.uniform(-manners.jitter, manners.jitter)
        centre = now() + wait + max(0.0, lag)
        self.note("exposure", centre=centre)
        threading.Thread(target=self._develop, args=(centre, to_card), daemon=True).start()
        return ptp.OK, centre

    def _develop(self, centre, to_card):
        time.sleep(max(0.0, centre + self.behaviour.processing - now()))
        microseconds = int(centre * 1e6)
        manners = self.behaviour
        with self.lock:
            self.count += 1
            stem = f"IMG_{self.count:04}"
            if manners.odd_names:
                stem = f"IMG %s;{self.count:04}\u00fc"
            added = []
            if manners.files in ("raw", "both"):
                added.append(File(f"{stem}.CR2", ptp.RAW, b"II*\0" + bytes(1 << 20), to_card,
                                  microseconds))
            if manners.files in ("jpeg", "both"):
                added.append(File(f"{stem}.JPG", ptp.JPEG, self._download(microseconds), to_card,
                                  microseconds))
            for file in added:
                handle = self.persona.handle(self, to_card)
                self.files[handle] = file
                self.note("file", name=file.name, handle=handle, moment=microseconds)
                copies = 0 if manners.lose_events else 2 if manners.double_events else 1
                for _ in range(copies):
                    self.events.append((ptp.OBJECT_ADDED, handle))
            self.events.append((ptp.CAPTURE_COMPLETE, 0))

    def _download(self, microseconds):
        manners = self.behaviour
        data = self.photos.at(microseconds)
        if manners.empty:
            return b""
        if manners.garbage:
            return b"no picture" * 1000
        return data[:len(data) - manners.truncate] if manners.truncate else data

    # Live view ---------------------------------------------------------------------------------

    def live_frame(self):
        """Returns a JPEG of now, or None while there is no live view."""
        with self.lock:
            if self.live_since is None:
                return None
            limit = self.behaviour.live_limit
            if limit and now() - self.live_since > limit:
                self.live_since = None
                self.note("live view ended")
                return None
        return self.live.at(int(now() * 1e6))

    def show(self, is_on):
        """Begins or ends the live view."""
        with self.lock:
            self.live_since = now() if is_on else None

    # Operations --------------------------------------------------------------------------------

    def take_events(self):
        """Returns the events since the last call, oldest first."""
        with self.lock:
            taken, self.events = self.events, []
        return taken

    def delete(self, handle):
        """Deletes a file."""
        with self.lock:
            file = self.files.pop(handle, None)
        if file is None:
            return ptp.INVALID_OBJECT
        self.note("deleted", name=file.name)
        return ptp.OK

    def answer(self, code, parameters, data):
        """Returns the response code, the data or None, and the response's parameters."""
        manners = self.behaviour
        name = self.persona.names.get(code, hex(code))
        while self.behaviour.asleep:
            time.sleep(0.05)
        if manners.death == name:
            self.note("death", at=name)
            raise Gone
        if manners.stall == name:
            self.note("stall", at=name)
            time.sleep(manners.stall_time)
        if manners.busy > 0 and name not in ("OpenSession", "GetDeviceInfo", "CloseSession"):
            manners.busy -= 1
            return ptp.BUSY, None, ()
        return self.persona.answer(self, name, code, parameters, data)
