"""A PTP camera on the network: ptp_camera.py [--persona eos|nikon|plain] [--port N] [--OPTION VALUE]...

Each misbehaviour of `camera.Behaviour` is an option. Lines of JSON on standard input change them
while the camera runs: {"set": {"lag": 0.3}}; {"ask": "history"} and {"ask": "card"} are answered on
standard output, which begins with a line that tells the port.
"""

import argparse
import dataclasses
import json
import sys

from camera import Behaviour, Camera
from personas import PERSONAS
from ptpip import Server


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--persona", choices=sorted(PERSONAS), default="eos")
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=15740)
    parser.add_argument("--size", default="6000x4000")
    parser.add_argument("--serial", default="0123456789")
    for field in dataclasses.fields(Behaviour):
        option = "--" + field.name.replace("_", "-")
        if field.type is bool:
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=field.type, default=field.default)
    return parser.parse_args()


def main():
    options = parse()
    width, height = map(int, options.size.split("x"))
    camera = Camera(PERSONAS[options.persona](), width, height, serial=options.serial)
    for field in dataclasses.fields(Behaviour):
        setattr(camera.behaviour, field.name, getattr(options, field.name))
    server = Server(camera, options.address, options.port).start()
    print(json.dumps({"port": server.port}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        for name, value in request.get("set", {}).items():
            setattr(camera.behaviour, name, value)
        answer = {"history": camera.history, "card": camera.card()}.get(request.get("ask"), {})
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
