"""A USB pedal in user space (uinput), and presses of it: `pedal.py COUNT`.

Prints when each press was handed to the kernel, by CLOCK_MONOTONIC, before and after. Half-way it
is pulled out and plugged in again. Every press repeats, as a keyboard's held key does.
"""

import fcntl
import os
import struct
import sys
import time

SET_EVENT, SET_KEY, CREATE, DESTROY = 0x40045564, 0x40045565, 0x5501, 0x5502
EV_SYN, EV_KEY, KEY_B = 0, 1, 48
NAME = b"Rig Pedal"


class Pedal:
    def __init__(self):
        self.file = os.open("/dev/uinput", os.O_WRONLY)
        fcntl.ioctl(self.file, SET_EVENT, EV_KEY)
        fcntl.ioctl(self.file, SET_KEY, KEY_B)
        # struct uinput_user_dev: name, bus, vendor, product, version, effects, four tables of axes.
        os.write(self.file, struct.pack("80sHHHHI", NAME, 3, 0x1209, 1, 1, 0) + bytes(4 * 64 * 4))
        fcntl.ioctl(self.file, CREATE)

    def send(self, value):
        begin = time.monotonic_ns()
        os.write(self.file, struct.pack("qqHHi", 0, 0, EV_KEY, KEY_B, value)
                 + struct.pack("qqHHi", 0, 0, EV_SYN, 0, 0))
        return begin, time.monotonic_ns()

    def unplug(self):
        fcntl.ioctl(self.file, DESTROY)
        os.close(self.file)


def main():
    count = int(sys.argv[1])
    pedal = Pedal()
    for index in range(count):
        if index == count // 2:
            pedal.unplug()
            print("unplugged", flush=True)
            sys.stdin.readline()
            pedal = Pedal()
        if index in (0, count // 2):
            print("plugged", flush=True)
            sys.stdin.readline()
        begin, end = pedal.send(1)
        for _ in range(3):
            time.sleep(0.02)
            pedal.send(2)
        pedal.send(0)
        time.sleep(0.03)
        print("pedal", begin, end, 0, flush=True)
    pedal.unplug()


if __name__ == "__main__":
    main()
