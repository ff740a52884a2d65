"""A file system in user space that answers, or hangs, as a test says: the kernel's FUSE protocol.

This uses the standard library only, and no libfuse. One request of one kind is held back while all others
continue. The disk needs root or the program fusermount3. Its files are in a directory beside it.
"""

import ctypes
import errno
import os
import socket
import stat
import struct
import subprocess
import threading

LIBC = ctypes.CDLL(None, use_errno=True)

# Source: linux/fuse.h, protocol 7.31.
OPERATIONS = {
    1: "lookup", 2: "forget", 3: "getattr", 4: "setattr", 5: "readlink", 6: "symlink", 8: "mknod",
    9: "mkdir", 10: "unlink", 11: "rmdir", 12: "rename", 13: "link", 14: "open", 15: "read",
    16: "write", 17: "statfs", 18: "release", 20: "fsync", 21: "setxattr", 22: "getxattr",
    23: "listxattr", 24: "removexattr", 25: "flush", 26: "init", 27: "opendir", 28: "readdir",
    29: "releasedir", 30: "fsyncdir", 31: "getlk", 32: "setlk", 33: "setlkw", 34: "access",
    35: "create", 36: "interrupt", 38: "destroy", 39: "ioctl", 40: "poll", 42: "batch_forget",
    43: "fallocate", 44: "readdirplus", 45: "rename2", 46: "lseek", 51: "tmpfile",
}
# The requests that a station makes to any disk, each of which can be held back.
NAMES = ["lookup", "getattr", "setattr", "mkdir", "unlink", "rename2", "open", "read", "write",
         "statfs", "fsync", "flush", "opendir", "readdir", "fsyncdir", "create"]

HEADER = struct.Struct("<IIQQIIII")
ANSWER = struct.Struct("<IiQ")
ATTRIBUTES = struct.Struct("<QQQQQQIIIIIIIIII")


class HangingDisk:
    """A mount of the directory `files` at `path`; `hang("read")` holds reads back until `heal()`."""

    def __init__(self, path, files):
        self.path, self.files = path, files
        os.makedirs(path, exist_ok=True)
        os.makedirs(files, exist_ok=True)
        self._nodes = {1: ""}
        self._numbers = {"": 1}
        self._handles = {}
        self._next = 2
        self._hanging = set()
        self._held = []
        self._lock = threading.Lock()
        # Whether anything was ever held back.
        self.was_reached = False
        self._device = self._mount()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _mount(self):
        if os.geteuid() == 0:
            device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
            options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
            if LIBC.mount(b"hanging", self.path.encode(), b"fuse.hanging", 6, options.encode()):
                raise OSError(ctypes.get_errno(), "mount of " + self.path)
            return device
        ours, theirs = socket.socketpair()
        with ours, theirs:
            subprocess.run(
                ["fusermount3", "-o", "fsname=hanging", "--", self.path], check=True,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "_FUSE_COMMFD": str(theirs.fileno())})
            return socket.recv_fds(ours, 1, 1)[1][0]

    # Calls for tests

    def hang(self, *names):
        """Holds back every request of these kinds from now on; without a name, of every kind."""
        with self._lock:
            self._hanging = set(names or OPERATIONS.values()) - {"forget", "batch_forget"}

    def heal(self):
        """Answers what was held back, and everything from now on."""
        with self._lock:
            self._hanging = set()
            held, self._held = self._held, []
        for request in held:
            self._answer(*request)

    @property
    def held(self):
        """The kinds of the requests that are held back now."""
        with self._lock:
            return [OPERATIONS[request[1]] for request in self._held]

    def close(self):
        """Ends the disk; processes that still wait for it get an error."""
        device, self._device = self._device, -1
        if device < 0:
            return
        if os.geteuid() == 0:
            LIBC.umount2(self.path.encode(), 2)
        else:
            subprocess.run(["fusermount3", "-u", "-z", self.path], check=False)
        self.heal()
        os.close(device)

    # The protocol

    def _serve(self):
        while True:
            try:
                request = os.read(self._device, (1 << 20) + 4096)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.EAGAIN, errno.ENOENT):
                    continue
                return
            if not request:
                return
            length, code, unique, node, *_ = HEADER.unpack_from(request)
            body = request[HEADER.size:length]
            name = OPERATIONS.get(code, str(code))
            with self._lock:
                if name in self._hanging and name != "interrupt":
                    self.was_reached = True
                    self._held.append((unique, code, node, body))
                    continue
            self._answer(unique, code, node, body)

    def _answer(self, unique, code, node, body):
        name = OPERATIONS.get(code, "")
        if name in ("forget", "batch_forget"):
            return
        if name == "interrupt":
            # The request of a killed process is answered, because it would wait for ever.
            wanted, = struct.unpack_from("<Q", body)
            with self._lock:
                found = [request for request in self._held if request[0] == wanted]
                self._held = [request for request in self._held if request[0] != wanted]
            if found:
                self._send(wanted, -errno.EINTR, b"")
            return
        try:
            data = getattr(self, "_" + name, self._missing)(node, body)
            self._send(unique, 0, data)
        except OSError as error:
            self._send(unique, -(error.errno or errno.EIO), b"")

    def _send(self, unique, error, data):
        try:
            os.write(self._device, ANSWER.pack(ANSWER.size + len(data), error, unique) + data)
        except OSError:
            pass  # The caller no longer waits, or the disk is gone.

    def _missing(self, node, body):
        raise OSError(errno.ENOSYS, "not there")

    # Files

    def _real(self, node, name=""):
        path = os.path.join(self._nodes[node], name) if name else self._nodes[node]
        return os.path.join(self.files, path) if path else self.files

    def _number(self, node, name):
        path = os.path.join(self._nodes[node], name)
        if path not in self._numbers:
            self._numbers[path] = self._next
            self._nodes[self._next] = path
            self._next += 1
        return self._numbers[path]

    def _attributes(self, path, number):
        status = os.lstat(path)
        blocks = (status.st_size + 511) // 512
        times = [int(value) for value in (status.st_atime, status.st_mtime, status.st_ctime)]
        fractions = [value % 10 ** 9
                     for value in (status.st_atime_ns, status.st_mtime_ns, status.st_ctime_ns)]
        return ATTRIBUTES.pack(
            number, status.st_size, blocks, *times, *fractions, status.st_mode, status.st_nlink,
            status.st_uid, status.st_gid, 0, 4096, 0)

    def _entry(self, node, name):
        path = self._real(node, name)
        os.lstat(path)
        number = self._number(node, name)
        # The answer is not cached, so every lookup reaches this program.
        return struct.pack("<QQQQII", number, 0, 0, 0, 0, 0) + self._attributes(path, number)

    @staticmethod
    def _text(body):
        return body.split(b"\0")[0].decode()

    def _init(self, node, body):
        major, minor, readahead, flags = struct.unpack_from("<IIII", body)
        return struct.pack("<IIIIHHIIHHI7I", 7, 31, readahead, flags & (1 << 5), 16, 12, 1 << 17, 1,
                           32, 0, 0, *([0] * 7))

    def _lookup(self, node, body):
        return self._entry(node, self._text(body))

    def _getattr(self, node, body):
        return struct.pack("<QII", 0, 0, 0) + self._attributes(self._real(node), node)

    def _setattr(self, node, body):
        valid, _, _, size, _, atime, mtime, _, a_ns, m_ns, _, mode, _, uid, gid = struct.unpack_from(
            "<IIQQQQQQIIIIIII", body)
        path = self._real(node)
        if valid & 1:
            os.chmod(path, stat.S_IMODE(mode))
        if valid & 8:
            os.truncate(path, size)
        if valid & 0x30:
            os.utime(path, ns=(atime * 10 ** 9 + a_ns, mtime * 10 ** 9 + m_ns))
        return self._getattr(node, b"")

    def _mkdir(self, node, body):
        name = self._text(body[8:])
        os.mkdir(self._real(node, name), 0o755)
        return self._entry(node, name)

    def _unlink(self, node, body):
        os.unlink(self._real(node, self._text(body)))
        return b""

    def _rmdir(self, node, body):
        os.rmdir(self._real(node, self._text(body)))
        return b""

    def _rename2(self, node, body):
        target, flags, _ = struct.unpack_from("<QII", body)
        old, new = body[16:].split(b"\0")[:2]
        path = self._real(target, new.decode())
        if flags & 1 and os.path.lexists(path):
            raise OSError(errno.EEXIST, "is there")
        os.rename(self._real(node, old.decode()), path)
        return b""

    def _rename(self, node, body):
        return self._rename2(node, body[:8] + bytes(8) + body[8:])

    def _handle(self, descriptor):
        self._handles[descriptor] = True
        return struct.pack("<QII", descriptor, 0, 0)

    def _open(self, node, body):
        flags, = struct.unpack_from("<I", body)
        return self._handle(os.open(self._real(node), flags & ~(os.O_CREAT | os.O_EXCL)))

    def _create(self, node, body):
        flags, mode = struct.unpack_from("<II", body)
        name = self._text(body[16:])
        descriptor = os.open(self._real(node, name), flags | os.O_CREAT, mode & 0o777)
        return self._entry(node, name) + self._handle(descriptor)

    def _read(self, node, body):
        handle, offset, size = struct.unpack_from("<QQI", body)
        return os.pread(handle, size, offset)

    def _write(self, node, body):
        handle, offset, size = struct.unpack_from("<QQI", body)
        return struct.pack("<II", os.pwrite(handle, body[40:40 + size], offset), 0)

    def _statfs(self, node, body):
        status = os.statvfs(self.files)
        return struct.pack("<QQQQQIIII", status.f_blocks, status.f_bfree, status.f_bavail,
                           status.f_files, status.f_ffree, status.f_bsize, 255, status.f_frsize, 0
                           ) + bytes(24)

    def _flush(self, node, body):
        return b""

    def _release(self, node, body):
        handle, = struct.unpack_from("<Q", body)
        if self._handles.pop(handle, None):
            os.close(handle)
        return b""

    def _fsync(self, node, body):
        return b""

    _fsyncdir = _releasedir = _access = _destroy = _fsync

    def _opendir(self, node, body):
        return struct.pack("<QII", 0, 0, 0)

    def _readdir(self, node, body):
        _, offset, size = struct.unpack_from("<QQI", body)
        names = [".", ".."] + sorted(os.listdir(self._real(node)))
        data = b""
        for index, name in enumerate(names[offset:], offset + 1):
            text = name.encode()
            entry = struct.pack("<QQII", index + 1, index, len(text), 0) + text
            entry += bytes(-len(entry) % 8)
            if len(data) + len(entry) > size:
                break
            data += entry
        return data
