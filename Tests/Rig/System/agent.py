"""The rig's agent in the guest, which runs commands from a virtio port and sends back the results.

A request and an answer are one line of JSON each. `hello` is sent at the start, with the uptime, so
that whoever is connected hears of each boot.
"""

import json
import os
import pathlib
import subprocess
import threading
import time

PORT = "/dev/virtio-ports/rig"


def mount(tag, place, options):
    pathlib.Path(place).mkdir(parents=True, exist_ok=True)
    if not os.path.ismount(place):
        subprocess.run(["mount", "-t", "9p", "-o", f"trans=virtio,version=9p2000.L,msize=262144,{options}",
                        tag, place], check=True)


def main():
    for module in ("virtio_console", "9pnet_virtio", "9p"):
        subprocess.run(["modprobe", module], check=False)
    while not os.path.exists(PORT):
        time.sleep(0.1)
    mount("rig", "/rig", "ro,cache=loose")
    port = os.open(PORT, os.O_RDWR)
    lock = threading.Lock()

    def send(message):
        data = (json.dumps(message) + "\n").encode()
        with lock:
            while data:
                data = data[os.write(port, data):]

    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                   "HOME": "/root", "LANG": "C.UTF-8", "TERM": "dumb", "SYSTEMD_COLORS": "0",
                   "SYSTEMD_PAGER": "", "DEBIAN_FRONTEND": "noninteractive"}

    def perform(request):
        try:
            done = subprocess.run(["bash", "-c", request["command"]], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/root",
                                  env=environment, timeout=request.get("timeout", 120))
            status, output = done.returncode, done.stdout
        except subprocess.TimeoutExpired as error:
            status, output = 124, error.stdout or b""
        send({"id": request["id"], "status": status, "output": output.decode(errors="replace")})

    send({"hello": float(open("/proc/uptime").read().split()[0])})
    pending = b""
    while True:
        data = os.read(port, 65536)
        if not data:
            # The other end is not connected.
            time.sleep(0.2)
            continue
        pending += data
        while b"\n" in pending:
            line, pending = pending.split(b"\n", 1)
            try:
                request = json.loads(line)
            except ValueError:
                continue
            threading.Thread(target=perform, args=(request,), daemon=True).start()


main()
