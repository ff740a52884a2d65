"""One guest with systemd, driven from outside: start, run, cut the power. Standard library only."""

import itertools
import json
import os
import pathlib
import signal
import socket
import subprocess
import time


class GuestError(Exception):
    pass


class Guest:
    """A qemu with a disk, a port to the agent, and a folder of this machine's as /rig."""

    def __init__(self, kernel, disk, shared, logs, memory=1024):
        self.kernel, self.disk, self.shared = pathlib.Path(kernel), disk, shared
        self.logs = pathlib.Path(logs)
        self.memory = memory
        self.process = self.monitor = None
        self.numbers = itertools.count(1)
        self.answers = {}
        self.pending = b""
        self.boots = 0

    def start(self, timeout=600):
        """Powers it on, and returns (the guest's uptime when its agent spoke, seconds waited).

        The emulated kernel panics in one of some dozen boots, a second after its start, before
        anything of ours runs: then it is powered on once more.
        """
        try:
            return self.power_on(timeout)
        except GuestError:
            console = self.logs / f"console-{self.boots}.log"
            if not console.exists() or "Kernel panic" not in console.read_text(errors="replace"):
                raise
            print(f"the guest's kernel panicked at its start; once more (see {console})", flush=True)
            self.cut_power()
            return self.power_on(timeout)

    def power_on(self, timeout):
        self.boots += 1
        place = str(self.logs / "port")
        monitor = str(self.logs / "monitor")
        for path in (place, monitor):
            if os.path.exists(path):
                os.unlink(path)
        arguments = [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-machine", "pc",
            "-m", str(self.memory), "-smp", "2", "-nodefaults", "-no-user-config", "-display", "none",
            "-no-reboot", "-kernel", str(self.kernel / "vmlinux"), "-initrd",
            str(self.kernel / "initrd.gz"), "-append",
            "console=ttyS0 ro quiet loglevel=4 panic=-1 mitigations=off nokaslr cryptomgr.notests "
            "tsc=reliable no_timer_check rootfstype=ext4 apparmor=0 audit=0 net.ifnames=0 "
            "systemd.gpt_auto=0",
            "-serial", f"file:{self.logs}/console-{self.boots}.log",
            "-chardev", f"socket,id=rig,path={place},server=on,wait=off",
            "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=rig,name=rig",
            "-qmp", f"unix:{monitor},server=on,wait=off",
            "-object", "rng-random,id=random,filename=/dev/urandom",
            "-device", "virtio-rng-pci,rng=random", "-device", "qemu-xhci,id=usb",
            "-drive", f"file={self.disk},if=none,id=disk,format=qcow2,cache=writeback",
            "-device", "virtio-blk-pci,drive=disk",
            "-fsdev", f"local,id=rig,path={self.shared},security_model=none,readonly=on,multidevs=remap",
            "-device", "virtio-9p-pci,fsdev=rig,mount_tag=rig"]
        begin = time.monotonic()
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL,
                                        stderr=open(self.logs / "qemu.log", "ab"))
        while not os.path.exists(place):
            if self.process.poll() is not None:
                raise GuestError(f"qemu ended: {(self.logs / 'qemu.log').read_text()[-500:]}")
            time.sleep(0.05)
        self.port = socket.socket(socket.AF_UNIX)
        self.port.connect(place)
        self.monitor_path, self.monitor = monitor, None
        self.pending, self.answers = b"", {}
        message = self.receive(lambda message: "hello" in message, timeout, "its agent")
        return message["hello"], time.monotonic() - begin

    def receive(self, wanted, timeout, what):
        end = time.monotonic() + timeout
        while True:
            while b"\n" in self.pending:
                line, self.pending = self.pending.split(b"\n", 1)
                try:
                    message = json.loads(line)
                except ValueError:
                    continue
                if wanted(message):
                    return message
                if "id" in message:
                    self.answers[message["id"]] = message
            left = end - time.monotonic()
            if left <= 0:
                raise GuestError(f"waited {timeout} s for {what}")
            self.port.settimeout(left)
            try:
                data = self.port.recv(65536)
            except TimeoutError:
                continue
            if not data:
                raise GuestError(f"the guest ended before {what}")
            self.pending += data

    def send(self, command, timeout=120):
        number = next(self.numbers)
        self.port.sendall((json.dumps(
            {"id": number, "command": command, "timeout": timeout}) + "\n").encode())
        return number

    def run(self, command, timeout=120, check=True):
        """Runs a command of bash; gives its output, or (status, output) without `check`."""
        number = self.send(command, timeout)
        answer = self.answers.pop(number, None) or self.receive(
            lambda message: message.get("id") == number, timeout + 60, f"the end of: {command}")
        if not check:
            return answer["status"], answer["output"]
        if answer["status"] != 0:
            raise GuestError(f"ended with {answer['status']}: {command}\n{answer['output']}")
        return answer["output"]

    def qmp(self, name, **arguments):
        """Runs one command of qemu's monitor."""
        if self.monitor is None:
            self.monitor = socket.socket(socket.AF_UNIX)
            self.monitor.connect(self.monitor_path)
            self.lines = self.monitor.makefile("rw")
            self.lines.readline()
            self.say("qmp_capabilities", {})
        return self.say(name, arguments)

    def say(self, name, arguments):
        self.lines.write(json.dumps({"execute": name, "arguments": arguments}) + "\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline())
            if "error" in answer:
                raise GuestError(f"{name}: {answer['error']}")
            if "return" in answer:
                return answer["return"]

    def cut_power(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.close()

    def shut_down(self, timeout=90):
        self.send("systemctl --no-block poweroff")
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise GuestError(f"the guest did not power off within {timeout} s") from None
        finally:
            self.close()

    def close(self):
        for end in (getattr(self, "port", None), self.monitor):
            if end:
                end.close()
        self.monitor = None
