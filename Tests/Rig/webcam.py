"""A USB camera in user space, plugged into the kernel's virtual USB port (vhci-hcd).

The kernel's own uvcvideo drives it: enumeration, negotiation, controls and streaming are the real
ones. The link to the kernel is a socket pair that speaks USB/IP's request blocks
(Documentation/usb/usbip_protocol.rst). Needs root, and the modules vhci-hcd and uvcvideo.

    webcam.py --fps 30 --mjpeg 1280x720=CLIP.mjpeg --yuyv 640x480 --log FRAMES --control FIFO

The log has one line for each frame that went over the wire:

    INDEX NUMBER BEGIN END BYTES FAULT

INDEX counts from 0 in each stream, NUMBER is the one the picture carries, BEGIN and END are
CLOCK_MONOTONIC in nanoseconds when the first payload was handed over and when the last one was, and
FAULT is `-`, a fault, or `aborted`. Lines that begin with `#` tell events and when they were.

The FIFO takes a command a line: unplug, plug, stall on, stall off, quit, or the name of a fault
for the next frame (cut, garbage, and the others of webcam_frames.py). SIGTERM unplugs and ends.
"""

import argparse
import collections
import os
import select
import signal
import socket
import struct
import sys
import time

import webcam_descriptors as usb
from webcam_frames import ALIASES, FAULTS, Clip, FaultPlan, Raw

VHCI = "/sys/devices/platform/vhci_hcd.0"
SUBMIT, UNLINK, RETURN_SUBMIT, RETURN_UNLINK = 1, 2, 3, 4
HEADER = 48
STALL, CANCELLED = -32, -104
PORT_IS_FREE = "004"
# UVC requests (A.8).
SET_CUR, GET_CUR, GET_MIN, GET_MAX, GET_RES = 0x01, 0x81, 0x82, 0x83, 0x84
GET_LEN, GET_INFO, GET_DEF = 0x85, 0x86, 0x87
PROBE, COMMIT = 1, 2


class Control:
    """A number that the host can read and set."""

    def __init__(self, name, layout, lowest, highest, step, default):
        self.name, self.layout, self.value = name, "<" + layout, default
        self.answers = {GET_MIN: lowest, GET_MAX: highest, GET_RES: step, GET_DEF: default}

    def request(self, code, data):
        if code == SET_CUR:
            self.value = struct.unpack(self.layout, data)[0]
            return b""
        if code == GET_LEN:
            return struct.pack("<H", struct.calcsize(self.layout))
        if code == GET_INFO:
            return b"\3"
        value = self.value if code == GET_CUR else self.answers.get(code)
        return None if value is None else struct.pack(self.layout, value)


def controls():
    """By unit and selector (A.9.4, A.9.5). For the exposure mode, GET_RES tells which bits exist."""
    return {
        (usb.CAMERA_TERMINAL, 2): Control("exposure-mode", "B", 1, 8, 0x09, 8),
        (usb.CAMERA_TERMINAL, 4): Control("exposure-time", "I", 1, 10000, 1, 166),
        (usb.PROCESSING_UNIT, 2): Control("brightness", "h", 0, 255, 1, 128),
        (usb.PROCESSING_UNIT, 5): Control("power-line-frequency", "B", 0, 2, 1, 1),
    }


class Log:
    """Lines that are in the file as soon as they are written: a test reads along."""

    def __init__(self, path):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self.file = os.open(path, flags, 0o644) if path else None

    def line(self, text):
        if self.file is not None:
            os.write(self.file, (text + "\n").encode())

    def event(self, text):
        self.line(f"# {time.monotonic_ns()} {text}")


class Stream:
    """The frames of one stream, cut into payloads at their time."""

    def __init__(self, source, interval, first, plan, log):
        self.source, self.interval, self.number = source, interval, first
        self.plan, self.log = plan, log
        self.due = time.monotonic_ns() + interval
        self.index, self.toggle = 0, 0
        self.payloads = collections.deque()
        self.begin = None
        self.current = None

    def compose(self, now, fault):
        """Makes the next frame's payloads."""
        frame = self.source[self.number]
        fault = fault or self.plan[self.index]
        if fault:
            frame = FAULTS[fault](frame)
        flags = 0x80 | self.toggle | (0x40 if fault == "flagged" else 0)
        view, room = memoryview(frame), usb.PAYLOAD - 2
        last = max(len(frame) - 1, 0) // room * room
        for offset in range(0, last + 1, room):
            header = bytes((2, flags | (2 if offset == last else 0)))
            self.payloads.append((header, view[offset : offset + room]))
        self.current = (self.index, self.number, len(frame), fault or "-")
        self.begin = None
        # A slot that was missed is skipped, as a sensor does: its frame is never seen by anyone.
        slots = max(1, (now - self.due) // self.interval + 1)
        self.due += slots * self.interval
        self.number = (self.number + slots) % len(self.source)
        self.index += 1
        self.toggle ^= 1

    def sent(self):
        """Called when the last payload of the current frame was sent."""
        self.note(self.current[3])

    def stop(self):
        """The host ended the stream, or the camera was pulled: a frame half out stays so."""
        if self.payloads and self.begin is not None:
            self.note("aborted")
        self.payloads.clear()

    def note(self, fault):
        index, number, length, _ = self.current
        end = time.monotonic_ns()
        self.log.line(f"{index} {number} {self.begin} {end} {length} {fault}")


class Camera:
    """The device: answers the host's control requests, and has a stream while one is running."""

    def __init__(self, options, log):
        self.options, self.log = options, log
        self.modes = []
        if options.mjpeg:
            self.modes.append(("mjpeg", options.mjpeg))
        if options.yuyv:
            self.modes.append(("yuyv", options.yuyv))
        sizes = [(kind, [entry[0] for entry in entries]) for kind, entries in self.modes]
        self.device = usb.device(options.vendor, options.product)
        self.configuration = usb.configuration(sizes)
        self.strings = [b"\x04\x03\x09\x04"]
        self.strings += map(usb.string, (options.manufacturer, options.name, options.serial))
        self.plan = FaultPlan(options.faults)
        self.number = 0
        self.power_on()

    def power_on(self):
        """Resets the state that a camera loses when it is unplugged."""
        self.controls = controls()
        self.negotiated = (1, 1, usb.INTERVALS[0])
        self.stream = None

    # Standard requests (USB 2.0, 9.4)

    def standard(self, code, value):
        if code == 6:
            kind, index = value >> 8, value & 255
            if kind == 1:
                return self.device
            if kind == 2:
                return self.configuration
            if kind == 3 and index < len(self.strings):
                return self.strings[index]
            return None
        if code == 1:
            # A host stops a bulk stream by clearing the endpoint.
            self.stop()
            return b""
        return {0: b"\0\0", 8: b"\1", 9: b"", 10: b"\0", 11: b""}.get(code)

    # Negotiation (4.3.1.1)

    def propose(self, data):
        """Takes what the host wants and grants the nearest."""
        _, kind, size, interval = struct.unpack_from("<HBBI", data)
        kind = min(max(kind, 1), len(self.modes))
        size = min(max(size, 1), len(self.modes[kind - 1][1]))
        interval = min(usb.INTERVALS, key=lambda offered: abs(offered - (interval or offered)))
        self.negotiated = (kind, size, interval)

    def proposal(self):
        kind, size, interval = self.negotiated
        (width, height), _ = self.modes[kind - 1][1][size - 1]
        return struct.pack(
            "<HBBIHHHHHII", 1, kind, size, interval, 0, 0, 0, 0, 0, width * height * 2, usb.PAYLOAD
        )

    def streaming_request(self, selector, code, data):
        if code == SET_CUR:
            self.propose(data)
            if selector == COMMIT:
                self.start()
            return b""
        if code == GET_LEN:
            return struct.pack("<H", 26)
        if code == GET_INFO:
            return b"\3"
        return self.proposal() if code in (GET_CUR, GET_MIN, GET_MAX, GET_DEF) else None

    def control(self, setup, data):
        """The answer to a request on endpoint 0; None refuses it."""
        kind, code, value, index, _ = struct.unpack("<BBHHH", setup)
        if kind & 0x60 == 0:
            return self.standard(code, value)
        selector, unit, interface = value >> 8, index >> 8, index & 255
        if interface == usb.STREAMING_INTERFACE and selector in (PROBE, COMMIT):
            return self.streaming_request(selector, code, data)
        found = self.controls.get((unit, selector))
        if interface != usb.CONTROL_INTERFACE or not found:
            return None
        answer = found.request(code, data)
        if code == SET_CUR:
            self.log.event(f"control {found.name} {found.value}")
        return answer

    def start(self):
        self.stop()
        kind, size, interval = self.negotiated
        (width, height), source = self.modes[kind - 1][1][size - 1]
        interval = max(interval * 100, round(1e9 / self.options.fps))
        # Numbers go on over streams, so that one number stays one moment as long as it can.
        self.stream = Stream(source, interval, self.number % len(source), self.plan, self.log)
        self.log.event(f"stream {self.modes[kind - 1][0]} {width}x{height} {1e9 / interval:.3f}")

    def stop(self):
        if self.stream:
            self.stream.stop()
            self.number = self.stream.number
            self.stream = None
            self.log.event("stream-end")


class Link:
    """The wire between the kernel's port and the camera."""

    def __init__(self, camera, port, log):
        self.camera, self.port, self.log = camera, port, log
        self.socket = None
        self.waiting = collections.OrderedDict()
        self.buffer = bytearray()

    def port_is_free(self):
        with open(f"{VHCI}/status") as status:
            for line in status:
                words = line.split()
                if len(words) > 2 and words[1].isdigit() and int(words[1]) == self.port:
                    return words[2] == PORT_IS_FREE
        return False

    def plug(self):
        if self.socket:
            return
        # The kernel takes a moment to let go of a port after an unplug.
        end = time.monotonic() + 5
        while not self.port_is_free():
            if time.monotonic() > end:
                raise SystemExit(f"webcam.py: port {self.port} of vhci-hcd is not free")
            time.sleep(0.01)
        theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        for end in (theirs, ours):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        self.camera.power_on()
        self.buffer.clear()
        self.waiting.clear()
        high_speed, identifier = 3, 0x10002 + self.port
        with open(f"{VHCI}/attach", "w") as attach:
            attach.write(f"{self.port} {theirs.fileno()} {identifier} {high_speed}\n")
        theirs.close()
        self.socket = ours
        self.log.event("plugged")

    def unplug(self):
        if self.socket:
            self.log.event("unplugged")
            self.camera.stop()
            self.socket.close()
            self.socket = None

    # Out

    def send(self, *parts):
        sent = self.socket.sendmsg(parts)
        if sent < sum(map(len, parts)):
            self.socket.sendall(b"".join(parts)[sent:])

    def answer(self, sequence, status, length, *data):
        header = struct.pack(
            ">5Ii4I8x", RETURN_SUBMIT, sequence, 0, 0, 0, status, length, 0, 0, 0
        )
        self.send(header, *data)

    def pump(self):
        """Sends what is due as far as the host has asked for it."""
        stream = self.camera.stream
        while stream.payloads and self.waiting:
            sequence, room = self.waiting.popitem(last=False)
            header, data = stream.payloads.popleft()
            if stream.begin is None:
                stream.begin = time.monotonic_ns()
            self.answer(sequence, 0, min(len(data) + 2, room), header, data[: room - 2])
            if not stream.payloads:
                stream.sent()

    # In

    def receive(self):
        """Handles the whole requests that have arrived. False when the kernel has hung up."""
        try:
            data = self.socket.recv(1 << 16)
        except ConnectionError:
            return False
        if not data:
            return False
        self.buffer += data
        while len(self.buffer) >= HEADER:
            command, sequence, _, inward, endpoint = struct.unpack_from(">5I", self.buffer)
            if command == SUBMIT:
                length = struct.unpack_from(">i", self.buffer, 24)[0]
                whole = HEADER + (0 if inward else length)
                if len(self.buffer) < whole:
                    break
                setup, data = bytes(self.buffer[40:48]), bytes(self.buffer[HEADER:whole])
                del self.buffer[:whole]
                self.submitted(sequence, inward, endpoint, length, setup, data)
            elif command == UNLINK:
                target = struct.unpack_from(">I", self.buffer, 20)[0]
                del self.buffer[:HEADER]
                known = self.waiting.pop(target, None) is not None
                status = CANCELLED if known else 0
                self.send(struct.pack(">5Ii24x", RETURN_UNLINK, sequence, 0, 0, 0, status))
            else:
                raise SystemExit(f"webcam.py: the kernel sent a command {command}")
        return True

    def submitted(self, sequence, inward, endpoint, length, setup, data):
        if endpoint:
            self.waiting[sequence] = length
            return
        answer = self.camera.control(setup, data)
        if answer is None:
            self.answer(sequence, STALL, 0)
        elif inward:
            self.answer(sequence, 0, len(answer[:length]), answer[:length])
        else:
            self.answer(sequence, 0, length)


class Program:
    """Runs the loop of the camera."""

    def __init__(self, options):
        self.log = Log(options.log)
        self.camera = Camera(options, self.log)
        self.link = Link(self.camera, options.port, self.log)
        self.stalled, self.fault, self.control = False, None, None
        if options.control:
            if not os.path.exists(options.control):
                os.mkfifo(options.control)
            # Open for writing as well: the FIFO then never reports an end.
            self.control = os.open(options.control, os.O_RDWR | os.O_NONBLOCK)
        self.commands = b""

    def command(self, line):
        words = line.split()
        name = ALIASES.get(words[0], words[0]) if words else ""
        if words == ["unplug"]:
            self.link.unplug()
        elif words == ["plug"]:
            self.link.plug()
        elif words in (["stall", "on"], ["stall", "off"]):
            self.stalled = words[1] == "on"
            if not self.stalled and self.camera.stream:
                self.camera.stream.due = time.monotonic_ns()
            self.log.event(line)
        elif words == ["quit"]:
            raise SystemExit(0)
        elif len(words) == 1 and name in FAULTS:
            self.fault = name
            self.log.event(f"next {name}")
        elif words:
            self.log.event(f"unknown command {line}")

    def take_commands(self):
        self.commands += os.read(self.control, 4096)
        *lines, self.commands = self.commands.split(b"\n")
        for line in lines:
            self.command(line.decode(errors="replace").strip())

    def run(self):
        self.link.plug()
        print("plugged", flush=True)
        while True:
            timeout = self.advance()
            inputs = [self.control] if self.control is not None else []
            if self.link.socket:
                inputs.append(self.link.socket)
            ready = select.select(inputs, [], [], timeout)[0]
            if self.link.socket in ready:
                try:
                    alive = self.link.receive()
                except (BrokenPipeError, ConnectionError):
                    alive = False
                if not alive:
                    self.log.event("detached by the host")
                    self.link.unplug()
            if self.control in ready:
                self.take_commands()

    def advance(self):
        """Sends what is due; how long to wait for more requests (None: until one comes)."""
        stream = self.camera.stream
        if not stream or not self.link.socket:
            return None
        now = time.monotonic_ns()
        if not stream.payloads and not self.stalled and now >= stream.due and self.link.waiting:
            stream.compose(now, self.fault)
            self.fault = None
        try:
            self.link.pump()
        except (BrokenPipeError, ConnectionError):
            self.link.unplug()
            return None
        if stream.payloads or self.stalled or not self.link.waiting:
            return None
        return max(0, stream.due - time.monotonic_ns()) / 1e9


def size(text):
    """WIDTHxHEIGHT."""
    width, height = map(int, text.split("x"))
    if not 0 < width < 1 << 16 or not 0 < height < 1 << 16 or width % 2:
        raise ValueError(text)
    return width, height


def clip_mode(text):
    dimensions, _, path = text.partition("=")
    if not os.path.exists(path):
        raise argparse.ArgumentTypeError(f"want WIDTHxHEIGHT=FILE, and the file to be there: {text}")
    return size(dimensions), Clip(path)


def raw_mode(text):
    return size(text), Raw(*size(text))


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    number = lambda text: int(text, 0)  # noqa: E731
    parser.add_argument("--mjpeg", action="append", type=clip_mode, metavar="WxH=FILE")
    parser.add_argument("--yuyv", action="append", type=raw_mode, metavar="WxH")
    parser.add_argument("--fps", type=float, default=30, help="at most; the host may ask for less")
    parser.add_argument("--log", metavar="FILE")
    parser.add_argument("--control", metavar="FIFO")
    parser.add_argument("--faults", metavar="FILE", help="lines of FRAME FAULT")
    parser.add_argument("--port", type=int, default=0, help="of vhci-hcd, 0 to 7")
    parser.add_argument("--vendor", type=number, default=0x1D6B)
    parser.add_argument("--product", type=number, default=0x0102)
    parser.add_argument("--manufacturer", default="Retake")
    parser.add_argument("--name", default="Retake Test Camera")
    parser.add_argument("--serial", default="RETAKE0001")
    result = parser.parse_args()
    if not result.mjpeg and not result.yuyv:
        parser.error("at least one of --mjpeg and --yuyv is needed")
    return result


def main():
    program = Program(options())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        program.run()
    finally:
        program.link.unplug()


if __name__ == "__main__":
    main()
