"""PTP over TCP (CIPA DC-005): a command connection and an event connection."""

import socket
import struct
import threading

import camera as cameras
import ptp

COMMAND_REQUEST, COMMAND_ACK, EVENT_REQUEST, EVENT_ACK = 1, 2, 3, 4
OPERATION, RESPONSE, START_DATA, DATA, END_DATA, PING, PONG = 6, 7, 9, 10, 12, 13, 14


class Connection:
    """One TCP connection of a client."""

    def __init__(self, taken, camera):
        self.socket, self.camera = taken, camera
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def read(self, count):
        """Returns exactly so many bytes."""
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def packet(self):
        """Returns the kind and the content of a packet."""
        length, kind = struct.unpack("<II", self.read(8))
        return kind, self.read(length - 8)

    def send(self, kind, content):
        """Sends a packet."""
        self.socket.sendall(struct.pack("<II", 8 + len(content), kind) + content)

    def serve(self):
        """Answers until the client goes or the camera dies."""
        try:
            while True:
                self.handle(*self.packet())
        except (EOFError, OSError):
            pass
        except cameras.Gone:
            self.socket.shutdown(socket.SHUT_RDWR)
        finally:
            self.socket.close()

    def handle(self, kind, content):
        """Answers a packet."""
        if kind == COMMAND_REQUEST:
            name = self.camera.persona.model.encode("utf-16-le") + b"\0\0"
            self.send(COMMAND_ACK, ptp.pack("I", 1) + bytes(16) + name + ptp.pack("I", 0x10000))
        elif kind == EVENT_REQUEST:
            self.send(EVENT_ACK, b"")
        elif kind == PING:
            self.send(PONG, b"")
        elif kind == OPERATION:
            self.operate(content)

    def operate(self, content):
        """Answers an operation, with the data of either side."""
        phase, code, number = ptp.unpack("IHI", content)
        parameters = struct.unpack(f"<{(len(content) - 10) // 4}I", content[10:])
        data = b""
        while phase == 2:
            kind, part = self.packet()
            if kind in (DATA, END_DATA):
                data += part[4:]
            if kind == END_DATA:
                break
        response, answer, results = self.camera.answer(code, parameters, data)
        if answer is not None:
            self.send(START_DATA, ptp.pack("IQ", number, len(answer)))
            self.send(END_DATA, ptp.pack("I", number) + answer)
        self.send(RESPONSE, ptp.pack("HI", response, number)
                  + b"".join(ptp.pack("I", value) for value in results))


class Server:
    """Listens for clients of one camera."""

    def __init__(self, camera, address="127.0.0.1", port=15740):
        self.camera = camera
        self.listener = socket.create_server((address, port))
        self.port = self.listener.getsockname()[1]
        self.connections = []

    def start(self):
        """Serves on threads of its own."""
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def _accept(self):
        while True:
            try:
                taken, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(taken)
            connection = Connection(taken, self.camera)
            threading.Thread(target=connection.serve, daemon=True).start()

    def unplug(self):
        """Ends all connections and listens no more."""
        self.listener.close()
        for taken in self.connections:
            try:
                taken.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
