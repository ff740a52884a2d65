"""A disk whose writes are recorded by the kernel's dm-log-writes, and that is rebuilt as a power
cut leaves it.

Linux: Documentation/admin-guide/device-mapper/log-writes.rst. Only ioctl(2) and mount(2): starting
programs takes too long under emulation.
"""
import ctypes
import fcntl
import os
import struct
import subprocess

SECTOR = 512
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result != 0:
        raise OSError(ctypes.get_errno(), what)


def mount(device, path, options=""):
    check(libc.mount(device.encode(), path.encode(), b"ext4", 0, options.encode()), f"mount {path}")


def unmount(path):
    check(libc.umount2(path.encode(), 0), f"umount {path}")


class Loop:
    """A block device with a file's contents."""

    def __init__(self, path):
        control = os.open("/dev/loop-control", os.O_RDWR)
        number = fcntl.ioctl(control, 0x4C82)  # LOOP_CTL_GET_FREE
        os.close(control)
        self.device = f"/dev/loop{number}"
        self.number = os.open(self.device, os.O_RDWR)
        file = os.open(path, os.O_RDWR)
        fcntl.ioctl(self.number, 0x4C00, file)  # LOOP_SET_FD
        os.close(file)

    def close(self):
        fcntl.ioctl(self.number, 0x4C01)  # LOOP_CLR_FD
        os.close(self.number)


class RecordedDisk:
    """A file system of its own on /dev/mapper/powercut, with every write in a log."""

    name = "powercut"

    def __init__(self, folder, megabytes):
        self.base, self.image, self.log = (f"{folder}/{name}" for name in ("base", "disk", "log"))
        for path, size in ((self.image, megabytes), (self.log, 2000)):
            with open(path, "wb") as file:
                file.truncate(size << 20)
        subprocess.run(
            ["mkfs.ext4", "-qF", "-E", "lazy_itable_init=0,lazy_journal_init=0", self.image], check=True
        )
        copy_sparse(self.image, self.base)
        self.disk, self.recorder = Loop(self.image), Loop(self.log)
        table = f"0 {megabytes << 11} log-writes {self.disk.device} {self.recorder.device}"
        subprocess.run(
            ["dmsetup", "create", self.name, "--noudevsync", "--table", table], check=True
        )
        self.device = f"/dev/mapper/{self.name}"
        if not os.path.exists(self.device):
            subprocess.run(["dmsetup", "mknodes", self.name], check=True)
        self.control = os.open("/dev/mapper/control", os.O_RDWR)
        self.marks = 0

    def mark(self):
        """Writes a number into the log, after everything that is reported as done."""
        number = self.marks
        self.marks += 1
        message = struct.pack("=Q", 0) + f"mark {number}".encode() + b"\0"
        message += bytes(-len(message) % 8)
        head = struct.pack(
            "=3I2IIiIII Q 128s 129s 7x", 4, 0, 0, 312 + len(message), 312, 0, 0, 0, 0, 0, 0,
            self.name.encode(), b"",
        )
        fcntl.ioctl(self.control, 0xC138FD0E, bytearray(head + message))  # DM_TARGET_MSG
        return number

    def close(self):
        """Ends the recording."""
        os.close(self.control)
        subprocess.run(["dmsetup", "remove", "--noudevsync", self.name], check=True)
        self.disk.close()
        self.recorder.close()


class Write:
    def __init__(self, sector, count, flags, place):
        self.sector, self.count, self.flags, self.place = sector, count, flags, place


def read_log(path):
    """The entries, with the marks' numbers as (index of entry, number)."""
    entries, marks = [], []
    with open(path, "rb") as file:
        magic, version, total, size = struct.unpack("<QQQI", file.read(28))
        if magic != 0x6A736677736872 or size != SECTOR:
            raise SystemExit("that is no log of dm-log-writes with sectors of 512 bytes")
        place = size
        for _ in range(total):
            file.seek(place)
            sector, count, flags, length = struct.unpack("<QQQQ", file.read(32))
            if flags & MARK:
                text = file.read(length).split(b"\0")[0]
                # The kernel's own mark at the end is not one of ours.
                if text.isdigit():
                    marks.append((len(entries), int(text)))
            place += size
            entries.append(Write(sector, count, flags, place))
            if not flags & DISCARD:
                place += count * size
    return entries, marks


def copy_sparse(source, target):
    with open(source, "rb") as old, open(target, "wb") as new:
        size = os.fstat(old.fileno()).st_size
        new.truncate(size)
        place = 0
        while True:
            try:
                place = os.lseek(old.fileno(), place, os.SEEK_DATA)
            except OSError:
                return
            end = os.lseek(old.fileno(), place, os.SEEK_HOLE)
            while place < end:
                data = os.pread(old.fileno(), min(1 << 20, end - place), place)
                os.pwrite(new.fileno(), data, place)
                place += len(data)


class Replay:
    """Rebuilds what a disk with a volatile cache has, at growing points of its log."""

    def __init__(self, base, log, entries, work):
        self.log, self.entries, self.work = os.open(log, os.O_RDONLY), entries, work
        copy_sparse(base, work)
        self.disk = os.open(work, os.O_RDWR)
        self.done = 0

    def _apply(self, file, entry, sectors=None):
        if entry.flags & (DISCARD | MARK) or not entry.count:
            return
        count = entry.count if sectors is None else sectors
        os.pwrite(file, os.pread(self.log, count * SECTOR, entry.place), entry.sector * SECTOR)

    def cut(self, point, target, random=None):
        """Writes the disk after a cut behind entry `point - 1`.

        Everything before the last completed flush is there, and what was written through the
        cache. Without `random` nothing else is; with it, each later write is there or not, and a
        few in part, to whole sectors. Returns how many writes were lost.
        """
        flushed = self.done
        for index in range(self.done, point):
            # A flush is for what was before it; its own data may still be in the cache.
            if self.entries[index].flags & FLUSH:
                flushed = index
        for entry in self.entries[self.done:flushed]:
            self._apply(self.disk, entry)
        self.done = flushed
        copy_sparse(self.work, target)
        lost = 0
        file = os.open(target, os.O_RDWR)
        for entry in self.entries[flushed:point]:
            if not entry.count or entry.flags & (DISCARD | MARK):
                continue
            if entry.flags & FUA:
                self._apply(file, entry)
                continue
            fate = random.random() if random else 1
            if fate < 0.45:
                self._apply(file, entry)
            elif fate < 0.55:
                self._apply(file, entry, random.randrange(entry.count))
                lost += 1
            else:
                lost += 1
        os.close(file)
        return lost
