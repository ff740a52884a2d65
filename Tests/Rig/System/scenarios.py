"""Scenarios of a booth with the installed package, in a Debian 13 guest. See scripts/vm system.

Each scenario is a function; they run in order, on one disk, and later ones build on `install`.
Waiting is for conditions; what is measured goes to measures.json in the logs.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from guest import Guest, GuestError  # noqa: E402

RIG = pathlib.Path(__file__).resolve().parents[1]
SCENARIOS = []


def scenario(function):
    SCENARIOS.append(function)
    return function


class Booth:
    """The guest, with what every scenario needs of it."""

    def __init__(self, guest, logs):
        self.guest, self.logs = guest, pathlib.Path(logs)
        self.measures = {}
        self.run = guest.run

    def measure(self, name, value, unit):
        self.measures[name] = {"value": round(value, 3), "unit": unit}
        print(f"    {name}: {value:.3g} {unit}", flush=True)

    def uptime(self):
        return float(self.run("cut -d' ' -f1 /proc/uptime"))

    def wait(self, what, command, timeout=60):
        """Waits in the guest until the command succeeds, and gives its last output."""
        status, output = self.guest.run(
            f"end=$((SECONDS + {timeout})); while ((SECONDS <= end)); do out=$({command} 2>&1) && "
            f"{{ echo \"$out\"; exit 0; }}; read -rt 0.25 <> <(:) || :; done; echo \"$out\"; exit 1",
            timeout=timeout + 60, check=False)
        if status != 0:
            raise GuestError(f"waited {timeout} s for {what}: {output.strip()}\n{self.journal()}")
        return output

    def journal(self, lines=25):
        return self.run(f"systemctl status retake.service --no-pager -n {lines} || true")

    def property(self, name, unit="retake.service"):
        return self.run(f"systemctl show -P {name} {unit}").strip()

    def status(self):
        return json.loads(self.run("retake trigger status --json"))

    def camera(self, state, timeout=60):
        self.wait(f"the camera to be {state}",
                  f"retake trigger status --json | grep -q '\"state\":\"{state}\",\"words\"'", timeout)

    def library(self, timeout=60):
        self.wait("the library", "retake trigger status --json | grep -q '\"library\":{.*\"state\":\"ok\"'",
                  timeout)

    def photos(self):
        return self.run("find /var/lib/retake/photos -name '*.jpg' | sort").split()

    def ready(self, timeout=120):
        self.wait("the service to be ready", "systemctl is-active retake.service", timeout)

    # The webcam of the rig, on the kernel's uvcvideo, and lines of gpio-sim.
    def plug_webcam(self):
        self.run("modprobe -a vhci-hcd uvcvideo; mkdir -p /run/rig; "
                 "systemctl reset-failed webcam 2>/dev/null; systemd-run -q --unit=webcam --collect "
                 "python3 /rig/webcam.py --fps 15 --mjpeg 1280x720=/rig/clip.mjpeg --log /run/rig/log "
                 "--control /run/rig/control")
        self.wait("the webcam", "ls /dev/v4l/by-id/*video-index0")

    def unplug_webcam(self):
        self.run("systemctl stop webcam")
        self.wait("the webcam to go", "test ! -e /dev/v4l/by-id")

    def make_lines(self):
        self.run(r"""
          modprobe -a configfs gpio-sim
          mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
          config=/sys/kernel/config/gpio-sim/booth
          if [ ! -e $config ]; then
            mkdir -p $config/bank
            echo 28 >$config/bank/num_lines
            echo pinctrl-bcm2711 >$config/bank/label
            for line in 17 23 24; do
              mkdir $config/bank/line$line
              echo GPIO$line >$config/bank/line$line/name
            done
            echo 1 >$config/live
          fi
          udevadm settle""")
        self.pulls = self.run(
            "c=/sys/kernel/config/gpio-sim/booth; echo /sys/devices/platform/$(cat $c/dev_name)"
            "/$(cat $c/bank/chip_name)").strip()

    def press(self, line):
        self.run(f"echo pull-down >{self.pulls}/sim_gpio{line}/pull; read -rt 0.15 <> <(:) || :; "
                 f"echo pull-up >{self.pulls}/sim_gpio{line}/pull")

    def configure(self, text):
        self.run(f"cat >/etc/retake/retake.toml <<'T'\n{text}\nT")

    def take_photo(self, by):
        """Presses once and returns the photo, which is kept at the end of its review."""
        before = self.photos()
        by()
        self.wait("the photo", f"test $(find /var/lib/retake/photos -name '*.jpg' | wc -l) -gt {len(before)}")
        new = [photo for photo in self.photos() if photo not in before]
        assert len(new) == 1, new
        start = self.run(f"head -c 3 {new[0]} | od -An -tx1").split()
        assert start == ["ff", "d8", "ff"], start
        return new[0]


BOOTH = """
[countdown]
seconds = 0
[review]
timeout = 2
at-end = "accept"
[buttons.shutter]
line = "GPIO17"
[lamps.ready]
line = "GPIO23"
"""


@scenario
def install(booth):
    """apt installs the package: the service runs as its own user, and is ready without a camera."""
    begin = time.monotonic()
    output = booth.run("apt-get install -y /rig/retake.deb", timeout=400)
    booth.measure("installing", time.monotonic() - begin, "s")
    assert "error" not in output.lower(), output
    booth.ready()
    assert booth.run("id -un $(stat -c %u /proc/$(systemctl show -P MainPID retake))").strip() == "retake"
    groups = booth.run("id -nG retake").split()
    assert {"video", "gpio", "input"} <= set(groups), groups
    status = booth.property("StatusText")
    assert "not plugged in" in status or "no camera" in status.lower(), status
    assert booth.run("stat -c '%U %a' /var/lib/retake/photos").split() == ["retake", "755"]
    assert booth.run("systemctl is-enabled retake.service retake.socket").split() == ["enabled"] * 2
    booth.run("systemctl is-active retake.socket")
    status, output = booth.guest.run("systemctl is-enabled retake-kiosk.service", check=False)
    assert output.strip() == "disabled", output
    size = int(booth.run("dpkg-query -W -f '${Installed-Size}' retake"))
    booth.measure("installed size", size / 1024, "MiB")


@scenario
def analysis(booth):
    """systemd and udev find nothing to complain of, and the sandbox is tight."""
    for unit in ("retake.service", "retake.socket", "retake-kiosk.service", "retake-stick@sda1.service"):
        output = booth.run(f"systemd-analyze verify --man=no {unit}", timeout=300)
        found = [line for line in output.splitlines() if "retake" in line]
        assert not found, found
    score = booth.run("systemd-analyze security --no-pager retake.service | tail -n 1", timeout=300)
    value = float(re.search(r"([0-9.]+) ", score).group(1))
    booth.measure("exposure of retake.service", value, "of 10")
    assert value < 2.0, score
    booth.run("udevadm verify /usr/lib/udev/rules.d/60-retake.rules")


@scenario
def hotplug(booth):
    """A camera plugged in after boot works under the service's device rules; unplug and replug."""
    begin = booth.uptime()
    booth.plug_webcam()
    booth.camera("streaming")
    booth.measure("plug to streaming", booth.uptime() - begin, "s")
    assert "streaming" in booth.property("StatusText")
    booth.unplug_webcam()
    booth.camera("absent")
    booth.plug_webcam()
    booth.camera("streaming")


@scenario
def button(booth):
    """A press on a line gives a photo on the disk; the configuration is taken over by a reload."""
    booth.make_lines()
    booth.configure(BOOTH)
    booth.run("systemctl reload retake")
    booth.wait("the button", "retake trigger status --json | grep -q '\"state\":\"armed\"'")
    photo = booth.take_photo(lambda: booth.press(17))
    owner = booth.run(f"stat -c '%U %s' {photo}").split()
    assert owner[0] == "retake" and int(owner[1]) > 10000, owner
    lamp = booth.wait("the lamp", f"grep 1 {booth.pulls}/sim_gpio23/value")
    assert lamp.strip() == "1"


@scenario
def journal(booth):
    """The journal's lines carry fields, have levels, and can be read alone."""
    lines = [json.loads(line) for line in booth.run(
        "journalctl -u retake -b -o json --no-pager").splitlines()]
    saved = [line for line in lines if line.get("MESSAGE", "").startswith("saved ")]
    assert saved, [line.get("MESSAGE") for line in lines]
    assert saved[-1]["PRIORITY"] == "5" and saved[-1]["SYSLOG_IDENTIFIER"] == "retake"
    for field in ("RETAKE_SESSION", "RETAKE_PRESS", "RETAKE_PHOTO", "RETAKE_CAMERA"):
        assert saved[-1].get(field), (field, saved[-1])
    assert saved[-1]["RETAKE_PHOTO"] in booth.run("find /var/lib/retake/photos -name '*.jpg'")
    assert booth.run(f"journalctl -b --no-pager -o cat RETAKE_PHOTO={saved[-1]['RETAKE_PHOTO']}").strip()


@scenario
def doctor(booth):
    """The doctor asks the running service, and finds nothing that keeps a booth from working."""
    status, output = booth.guest.run("retake doctor", check=False)
    (booth.logs / "doctor.txt").write_text(output)
    status, text = booth.guest.run("retake doctor --json", check=False)
    findings = json.loads(text)["findings"]
    problems = [finding for finding in findings if finding["level"] == "problem"]
    assert not problems, problems
    assert status in (0, 1), (status, output)
    known = {finding["subject"] for finding in findings}
    assert {"service", "camera", "library", "clock", "buttons"} <= known, known


@scenario
def restart(booth):
    """`systemctl restart` ends within two seconds, and the next photo works."""
    begin = booth.uptime()
    booth.run("systemctl stop retake.service")
    booth.measure("stop", booth.uptime() - begin, "s (with two process starts)")
    assert booth.run(f"cat {booth.pulls}/sim_gpio23/value").strip() == "0", "the lamp is still lit"
    assert booth.property("Result") == "success"
    booth.run("systemctl start retake.service")
    booth.ready()
    booth.camera("streaming")
    booth.take_photo(lambda: booth.press(17))


@scenario
def watchdog(booth):
    """A station that hangs or is killed is restarted, without a limit."""
    for sent, limit in (("STOP", 30), ("KILL", 10), ("KILL", 10), ("KILL", 10), ("ABRT", 10), ("KILL", 15)):
        before = booth.property("MainPID")
        begin = booth.uptime()
        booth.run(f"kill -{sent} {before}")
        booth.wait("another process",
                   f"test $(systemctl show -P MainPID retake) != {before} && "
                   "test $(systemctl show -P MainPID retake) != 0 && systemctl is-active retake",
                   limit + 60)
        if sent == "STOP":
            booth.measure("hang to ready", booth.uptime() - begin, "s")
            assert "watchdog" in booth.run("journalctl -b -u retake --no-pager").lower()
    booth.camera("streaming")
    booth.take_photo(lambda: booth.press(17))


@scenario
def wrong_configuration(booth):
    """A mistake in the file at boot is told in status, journal and by the doctor; a reload mends it."""
    booth.configure(BOOTH.replace("seconds", "secnds"))
    booth.run("systemctl restart retake.service")
    booth.ready()
    text = booth.property("StatusText")
    assert "/etc/retake/retake.toml:3" in text and "countdown.seconds" in text, text
    assert "retake.toml:3" in booth.run("journalctl -b -u retake -p err --no-pager -o cat")
    status, output = booth.guest.run("retake trigger shutter", check=False)
    assert status == 1 and "retake.toml:3" in output, (status, output)
    status, output = booth.guest.run("retake doctor", check=False)
    assert status == 2 and "retake.toml:3" in output, (status, output)
    booth.configure(BOOTH)
    booth.run("systemctl reload retake.service")
    booth.camera("streaming")
    booth.wait("the button", "retake trigger status --json | grep -q '\"state\":\"armed\"'")
    assert "streaming" in booth.property("StatusText")
    # Refused while it works: the reload fails, the status says why, and what worked goes on.
    booth.configure(BOOTH.replace("seconds", "secnds"))
    status, output = booth.guest.run("systemctl reload retake.service", check=False)
    assert status != 0, output
    text = booth.property("StatusText")
    assert "was refused" in text and "/etc/retake/retake.toml:3" in text and "streaming" in text, text
    assert booth.property("ActiveState") == "active"
    booth.configure(BOOTH)
    booth.run("systemctl reload retake.service")
    assert "was refused" not in booth.property("StatusText")
    booth.take_photo(lambda: booth.press(17))


@scenario
def groups(booth):
    """For a user without the groups, the camera's state is `denied` with the fix, and the station runs on."""
    # Not `nobody`: directories of that one are shown to a service as its own.
    booth.run("systemctl stop retake; cp -a /var/lib/retake /var/lib/kept; id stranger 2>/dev/null || "
              "useradd --system --no-create-home stranger; mkdir -p /run/systemd/system/retake.service.d; "
              "printf '[Service]\\nUser=stranger\\nGroup=stranger\\nSupplementaryGroups=\\n' "
              ">/run/systemd/system/retake.service.d/user.conf; systemctl daemon-reload; systemctl start retake")
    booth.ready()
    booth.camera("denied")
    assert "no permission" in booth.property("StatusText"), booth.property("StatusText")
    status, output = booth.guest.run("retake doctor", check=False)
    assert status == 2 and "video" in output, output
    booth.run("systemctl stop retake; rm -r /run/systemd/system/retake.service.d /var/lib/retake; "
              "mv /var/lib/kept /var/lib/retake; systemctl daemon-reload; systemctl start retake")
    booth.ready()
    booth.camera("streaming")


@scenario
def stick(booth):
    """A USB stick is mounted, takes copies, and may be pulled out; a library on it is waited for."""
    image = booth.logs / "stick.img"
    image.write_bytes(b"")
    os.truncate(image, 2 << 30)
    subprocess.run(["mkfs.vfat", "-n", "STICK", str(image)], check=True, stdout=subprocess.DEVNULL)
    booth.configure(BOOTH + '[copy]\nto = ["/media/retake/copies"]\n')
    booth.run("systemctl reload retake.service; modprobe -a xhci-pci usb-storage sd_mod")

    def plug():
        booth.guest.qmp("blockdev-add", driver="raw", **{"node-name": "stick"},
                        file={"driver": "file", "filename": str(image)})
        booth.guest.qmp("device_add", driver="usb-storage", id="stick0", drive="stick", bus="usb.0")
        booth.wait("the stick", "findmnt /media/retake", 90)

    def pull():
        booth.guest.qmp("device_del", id="stick0")
        booth.wait("the stick to go", "! findmnt /media/retake", 90)
        for _ in range(50):
            try:
                booth.guest.qmp("blockdev-del", **{"node-name": "stick"})
                return
            except GuestError:
                time.sleep(0.1)

    plug()
    options = booth.run("findmnt -no OPTIONS /media/retake")
    assert "flush" in options and "nosuid" in options and "noexec" in options, options
    assert "nosymfollow" in options, options
    booth.run("mkdir -p /media/retake/copies; chown retake: /media/retake/copies 2>/dev/null || true")
    photo = booth.take_photo(lambda: booth.press(17))
    booth.wait("the copy", f"cmp {photo} /media/retake/copies/booth/{os.path.basename(photo)}", 60)
    # FAT gives a new name no bytes until the file is synced again: a pull some time later shows it.
    time.sleep(10)
    pull()
    second = booth.take_photo(lambda: booth.press(17))
    plug()
    booth.run(f"cmp {photo} /media/retake/copies/booth/{os.path.basename(photo)}")
    booth.wait("the late copy", f"cmp {second} /media/retake/copies/booth/{os.path.basename(second)}", 60)
    booth.run("systemctl is-active retake.service")
    # A library whose card is missing at the start.
    pull()
    booth.configure(BOOTH + '[library]\npath = "/media/retake/photos"\n')
    booth.run("systemctl restart retake.service")
    booth.ready()
    assert "library: gone" in booth.property("StatusText"), booth.property("StatusText")
    plug()
    booth.library()
    booth.press(17)
    booth.wait("the photo on the stick", "ls /media/retake/photos/booth/*.jpg")
    booth.configure(BOOTH)
    booth.run("systemctl restart retake.service")
    booth.ready()
    pull()
    booth.camera("streaming")


@scenario
def cpu(booth):
    """Compares the CPU time of the idle service with that of v4l2-ctl on the same webcam."""
    def ticks(process):
        fields = booth.run(f"cat /proc/{process}/stat").rsplit(") ", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def over(process, seconds=20):
        before, begin = ticks(process), booth.uptime()
        booth.run(f"sleep {seconds}")
        return (ticks(process) - before) / (booth.uptime() - begin)

    booth.camera("streaming")
    ours = over(booth.property("MainPID"))
    booth.run("systemctl stop retake.service")
    booth.run("systemd-run -q --unit=peer --collect v4l2-ctl -d /dev/video0 "
              "--set-fmt-video=width=1280,height=720,pixelformat=MJPG --stream-mmap=4 --stream-count=0")
    booth.run("sleep 3")
    theirs = over(booth.property("MainPID", "peer.service"))
    booth.run("systemctl stop peer; systemctl start retake.service")
    booth.ready()
    booth.camera("streaming")
    booth.measure("idle CPU in the guest, retake", ours, "% of a core")
    booth.measure("idle CPU in the guest, v4l2-ctl", theirs, "% of a core")
    if theirs > 0:
        booth.measure("ratio to v4l2-ctl", ours / theirs, "")


@scenario
def power_cut(booth):
    """The power goes during operation; the next boot is ready by itself and has every photo."""
    known = booth.photos()
    sums = booth.run("cd /var/lib/retake/photos && find . -name '*.jpg' | sort | xargs sha256sum")
    # Whatever else the guest has in memory is lost; photos were synced when they were saved.
    booth.take_photo(lambda: booth.press(17))
    last = booth.photos()[-1]
    booth.guest.cut_power()
    boot(booth, "after the power cut")
    now = booth.photos()
    assert set(known) <= set(now) and last in now, (known, last, now)
    after = booth.run("cd /var/lib/retake/photos && find . -name '*.jpg' | sort | xargs sha256sum")
    for line in sums.splitlines():
        assert line in after, line
    assert booth.run("retake photos verify", timeout=200)
    booth.library()


@scenario
def boot_without_camera(booth):
    """Booted without a camera the service is ready and says so; a camera plugged later is taken."""
    booth.guest.shut_down()
    boot(booth, "without a camera")
    assert "not plugged in" in booth.property("StatusText"), booth.property("StatusText")
    booth.plug_webcam()
    booth.camera("streaming")
    booth.make_lines()
    booth.wait("the button", "retake trigger status --json | grep -q '\"state\":\"armed\"'")
    booth.take_photo(lambda: booth.press(17))


@scenario
def upgrade(booth):
    """An upgrade keeps configuration and photos and restarts the service; so does a removal."""
    booth.run("echo '# mine' >>/etc/retake/retake.toml")
    photos, pid = booth.photos(), booth.property("MainPID")
    booth.run("apt-get install -y /rig/retake-next.deb", timeout=400)
    booth.ready()
    assert booth.property("MainPID") != pid, "the service still runs the old program"
    assert booth.run("dpkg-query -W -f '${Version}' retake").endswith("+next")
    assert "# mine" in booth.run("cat /etc/retake/retake.toml")
    assert booth.photos() == photos
    output = booth.run("apt-get remove -y retake", timeout=300)
    assert "/var/lib/retake/photos" in output, output
    assert booth.photos() == photos
    output = booth.run("apt-get purge -y retake", timeout=300)
    assert "/var/lib/retake/photos" in output, output
    assert booth.photos() == photos
    assert booth.guest.run("systemctl is-active retake.service retake.socket", check=False)[0] != 0
    booth.run("test ! -e /etc/retake/retake.toml")
    booth.run("apt-get install -y /rig/retake.deb", timeout=400)
    booth.ready()
    assert booth.photos() == photos


def boot(booth, words):
    hello, waited = booth.guest.start()
    booth.ready(180)
    kernel = float(booth.property("ActiveEnterTimestampMonotonic")) / 1e6
    started = float(booth.property("ExecMainStartTimestampMonotonic")) / 1e6
    booth.measure(f"boot {words}: power-on to ready", kernel, "s of the guest's clock")
    booth.measure(f"boot {words}: of it retake's start", kernel - started, "s")


@scenario
def arm64(booth):
    """The arm64 package installs in an arm64 Debian 13 and takes a demo photo under qemu."""
    script = RIG.parents[1] / "scripts/lib/arm64_install.sh"
    output = subprocess.run([script, booth.arm64, booth.logs / "arm64"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert output.returncode == 0, output.stdout
    print("    " + output.stdout.strip().splitlines()[-1])


@scenario
def kiosk(booth):
    """The kiosk's exact command line shows a page under cage and Chromium of Debian 13."""
    script = RIG.parents[1] / "scripts/lib/kiosk_try.sh"
    output = subprocess.run([script, booth.deb, booth.logs / "kiosk"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert output.returncode == 0, output.stdout
    print("    " + output.stdout.strip().splitlines()[-1])


@scenario
def size(booth):
    """Measures what apt would install on a bare Debian 13 for the package, which itself is under 5 MB."""
    assert os.path.getsize(booth.deb) < 5e6
    script = RIG.parents[1] / "scripts/lib/bare_size.sh"
    output = subprocess.run([script, booth.deb, booth.logs / "size"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert output.returncode == 0, output.stdout
    print("    " + output.stdout.strip().replace("\n", "\n    "))
    for what in ("needed", "with-recommended"):
        found = re.search(rf"^{what}: After this operation, ([0-9.]+) ([kMG]B)", output.stdout, re.M)
        assert found, output.stdout
        booth.measure(f"installed on a bare Debian 13, {what}", float(found[1]), found[2])


def next_version(deb, target, work):
    """The same package under a higher version."""
    subprocess.run(["dpkg-deb", "-R", deb, work], check=True)
    control = pathlib.Path(work) / "DEBIAN/control"
    control.write_text(re.sub(r"^Version: (.*)$", r"Version: \1+next", control.read_text(), flags=re.M))
    subprocess.run(["dpkg-deb", "-b", "-Zgzip", "-z1", work, target], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    for name in ("kernel", "image", "deb", "arm64", "clips", "logs"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.list:
        for function in SCENARIOS:
            print(f"{function.__name__:22} {function.__doc__.splitlines()[0]}")
        return 0
    known = {function.__name__ for function in SCENARIOS}
    for name in arguments.names:
        if name not in known:
            sys.exit(f"there is no scenario {name}; --list names them")
    chosen = [function for function in SCENARIOS
              if not arguments.names or function.__name__ in arguments.names]
    needs_guest = [function for function in chosen if function not in (arm64, kiosk, size)]
    if needs_guest and install not in chosen:
        chosen.insert(0, install)
    logs = pathlib.Path(arguments.logs)
    shared = logs / "shared"
    shared.mkdir(exist_ok=True)
    shutil.copy(arguments.deb, shared / "retake.deb")
    next_version(arguments.deb, shared / "retake-next.deb", shared / "work")
    for file in ("webcam.py", "webcam_descriptors.py", "webcam_frames.py", "frame_number.py", "jpeg_segments.py"):
        shutil.copy(RIG / file, shared / file)
    shutil.copy(pathlib.Path(arguments.clips) / "720p-422.mjpeg", shared / "clip.mjpeg")
    disk = logs / "disk.qcow2"
    if disk.exists():
        disk.unlink()
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b",
                    os.path.realpath(arguments.image), str(disk)], check=True)
    guest = Guest(arguments.kernel, disk, shared, logs)
    booth = Booth(guest, logs)
    booth.arm64, booth.deb = arguments.arm64, arguments.deb
    booth.measure("package", os.path.getsize(arguments.deb) / 1e6, "MB")
    failed = []
    # A signal to this script also ends the guest.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if needs_guest:
            hello, waited = guest.start()
            print(f"the guest is up after {waited:.0f} s", flush=True)
        for function in chosen:
            begin = time.monotonic()
            try:
                function(booth)
                verdict = "ok"
            except Exception as error:  # noqa: BLE001
                verdict = "FAILED"
                failed.append(function.__name__)
                print("    " + str(error or "").replace("\n", "\n    "))
                traceback.print_exc(file=sys.stdout)
            print(f"{verdict:7} {function.__name__}: {function.__doc__.splitlines()[0]} "
                  f"({time.monotonic() - begin:.0f} s)", flush=True)
            if function is install and verdict != "ok":
                break
        if needs_guest and guest.process.poll() is None:
            (logs / "journal.txt").write_text(guest.run("journalctl -b -u retake --no-pager -o short-monotonic"))
    finally:
        guest.cut_power()
        (logs / "measures.json").write_text(json.dumps(booth.measures, indent=1) + "\n")
        if not arguments.keep and not failed:
            disk.unlink(missing_ok=True)
        shutil.rmtree(shared, ignore_errors=True)
    print(f"{len(chosen) - len(failed)} of {len(chosen)} scenarios passed; logs in {logs}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
