"""The dialects of PTP: plain, Nikon and Canon EOS."""

from time import monotonic

import ptp

CARD = 0x00010001


class Plain:
    """A camera that speaks standard PTP only, and has no live view."""

    extension, maker, model = 0, "Plain", "PTP Camera"
    vendor, product = 0x04CB, 0x0104
    names = {
        0x1001: "GetDeviceInfo", 0x1002: "OpenSession", 0x1003: "CloseSession",
        0x1004: "GetStorageIDs", 0x1005: "GetStorageInfo", 0x1006: "GetNumObjects",
        0x1007: "GetObjectHandles", 0x1008: "GetObjectInfo", 0x1009: "GetObject",
        0x100A: "GetThumb", 0x100B: "DeleteObject", 0x100E: "InitiateCapture",
        0x1014: "GetDevicePropDesc", 0x1015: "GetDevicePropValue", 0x1016: "SetDevicePropValue",
        0x101B: "GetPartialObject",
    }
    events = (ptp.OBJECT_ADDED, ptp.STORE_FULL_EVENT, ptp.CAPTURE_COMPLETE)
    properties = (0x5001,)

    def handle(self, camera, _to_card):
        """Returns the number of a new file."""
        return 0x90000000 + camera.count * 16 + sum(
            1 for handle in camera.files if handle >> 4 == 0x9000000 + camera.count)

    def answer(self, camera, name, code, parameters, data):
        """Answers an operation."""
        method = getattr(self, f"do_{name}", None)
        if method is None:
            camera.note("unknown", code=hex(code))
            return ptp.NOT_SUPPORTED, None, ()
        return method(camera, parameters, data)

    def do_GetDeviceInfo(self, camera, _parameters, _data):
        return ptp.OK, ptp.device_info(
            self.extension, sorted(self.names), self.events, self.properties, self.maker,
            self.model, camera.serial), ()

    def do_OpenSession(self, camera, _parameters, _data):
        camera.note("session")
        return ptp.OK, None, ()

    def do_CloseSession(self, camera, _parameters, _data):
        camera.show(False)
        return ptp.OK, None, ()

    def do_GetStorageIDs(self, camera, _parameters, _data):
        return ptp.OK, ptp.array("I", [] if camera.behaviour.no_card else [CARD]), ()

    def do_GetStorageInfo(self, camera, _parameters, _data):
        return ptp.OK, ptp.storage_info(0 if camera.behaviour.card_full else 1 << 33), ()

    def do_GetObjectHandles(self, camera, _parameters, _data):
        with camera.lock:
            handles = [handle for handle, file in camera.files.items() if file.on_card]
        return ptp.OK, ptp.array("I", handles), ()

    def do_GetNumObjects(self, camera, _parameters, _data):
        return ptp.OK, None, (len(camera.card()),)

    def _file(self, camera, parameters):
        with camera.lock:
            return camera.files.get(parameters[0]) if parameters else None

    def do_GetObjectInfo(self, camera, parameters, _data):
        file = self._file(camera, parameters)
        if file is None:
            return ptp.INVALID_OBJECT, None, ()
        return ptp.OK, ptp.object_info(
            CARD if file.on_card else 0, file.form, len(file.data), *camera.size, file.name,
            "20261201T120000"), ()

    def do_GetObject(self, camera, parameters, _data):
        file = self._file(camera, parameters)
        if file is None:
            return ptp.INVALID_OBJECT, None, ()
        camera.note("download", name=file.name)
        return ptp.OK, file.data, ()

    def do_GetPartialObject(self, camera, parameters, _data):
        file = self._file(camera, parameters)
        if file is None:
            return ptp.INVALID_OBJECT, None, ()
        part = file.data[parameters[1]:parameters[1] + parameters[2]]
        return ptp.OK, part, (len(part),)

    def do_GetThumb(self, _camera, _parameters, _data):
        return ptp.NO_THUMBNAIL, None, ()

    def do_DeleteObject(self, camera, parameters, _data):
        return camera.delete(parameters[0]), None, ()

    def do_InitiateCapture(self, camera, _parameters, _data):
        code, _ = camera.expose(to_card=True, needs_focus=True)
        return code, None, ()

    def do_GetDevicePropDesc(self, camera, parameters, _data):
        if parameters[0] != 0x5001:
            return ptp.NOT_SUPPORTED, None, ()
        return ptp.OK, ptp.pack(
            "HHBBBBBBB", 0x5001, 2, 0, 100, camera.behaviour.battery, 1, 0, 100, 1), ()

    def do_GetDevicePropValue(self, camera, parameters, _data):
        if parameters[0] != 0x5001:
            return ptp.NOT_SUPPORTED, None, ()
        return ptp.OK, ptp.pack("B", camera.behaviour.battery), ()

    def do_SetDevicePropValue(self, _camera, _parameters, _data):
        return ptp.OK, None, ()


class Nikon(Plain):
    """A Nikon: focus and capture as operations of their own, events that are asked for."""

    extension, maker, model = 0xA, "Nikon Corporation", "D750"
    vendor, product = 0x04B0, 0x0437
    names = {
        **Plain.names, 0x90C1: "AfDrive", 0x90C2: "ChangeCameraMode", 0x90C7: "CheckEvent",
        0x90C8: "DeviceReady", 0x9201: "StartLiveView", 0x9202: "EndLiveView",
        0x9203: "GetLiveViewImg", 0x9207: "CaptureRecInMedia",
    }
    events = (*Plain.events, 0xC101)
    properties = (0x5001, 0xD1A2)
    READY, OUT_OF_FOCUS, NOT_LIVE = ptp.OK, 0xA002, 0xA00B

    def __init__(self):
        self.ready_at = 0.0

    def handle(self, camera, to_card):
        number = super().handle(camera, to_card) & 0xFFF
        return (0x00020000 if to_card else 0xFFFF0000) + number

    def do_ChangeCameraMode(self, _camera, _parameters, _data):
        return ptp.OK, None, ()

    def do_AfDrive(self, camera, _parameters, _data):
        camera.note("half press")
        self.ready_at = monotonic() + camera.behaviour.focus_time
        return ptp.OK, None, ()

    def do_DeviceReady(self, camera, _parameters, _data):
        if monotonic() < self.ready_at:
            return ptp.BUSY, None, ()
        return (self.OUT_OF_FOCUS if camera.behaviour.no_focus else ptp.OK), None, ()

    def do_CaptureRecInMedia(self, camera, parameters, _data):
        camera.note("full press", parameters=list(parameters))
        to_card = not (len(parameters) > 1 and parameters[1] == 1)
        wants_focus = bool(parameters) and parameters[0] == 0xFFFFFFFE
        code, centre = camera.expose(to_card, wants_focus)
        self.ready_at = (centre or monotonic()) + camera.behaviour.processing / 2
        return code, None, ()

    def do_CheckEvent(self, camera, _parameters, _data):
        events = camera.take_events()
        coded = b"".join(
            ptp.pack("HI", 0xC101 if code == ptp.OBJECT_ADDED and handle >> 16 == 0xFFFF else code,
                     handle) for code, handle in events)
        return ptp.OK, ptp.pack("H", len(events)) + coded, ()

    def do_StartLiveView(self, camera, _parameters, _data):
        camera.show(True)
        return ptp.OK, None, ()

    def do_EndLiveView(self, camera, _parameters, _data):
        camera.show(False)
        return ptp.OK, None, ()

    def do_GetLiveViewImg(self, camera, _parameters, _data):
        frame = camera.live_frame()
        if frame is None:
            return self.NOT_LIVE, None, ()
        return ptp.OK, bytes(128) + frame, ()

    def do_GetDevicePropValue(self, camera, parameters, data):
        if parameters[0] == 0xD1A2:
            return ptp.OK, ptp.pack("B", camera.live_since is not None), ()
        return super().do_GetDevicePropValue(camera, parameters, data)


class EOS(Plain):
    """A Canon EOS: half and full press apart, and properties and files told as changes."""

    extension, maker, model = 0xB, "Canon Inc.", "Canon EOS 550D"
    vendor, product = 0x04A9, 0x31EA
    names = {
        **{code: name for code, name in Plain.names.items() if code != 0x100E},
        0x9101: "EOS_GetStorageIDs", 0x9102: "EOS_GetStorageInfo", 0x9107: "EOS_GetPartialObject",
        0x9110: "EOS_SetDevicePropValueEx", 0x9114: "EOS_SetRemoteMode",
        0x9115: "EOS_SetEventMode", 0x9116: "EOS_GetEvent", 0x9117: "EOS_TransferComplete",
        0x911A: "EOS_PCHDDCapacity", 0x911D: "EOS_KeepDeviceOn",
        0x9127: "EOS_RequestDevicePropValue", 0x9128: "EOS_RemoteReleaseOn",
        0x9129: "EOS_RemoteReleaseOff", 0x9153: "EOS_GetViewFinderData",
        0x9154: "EOS_DoAf", 0x9160: "EOS_AfCancel",
    }
    # Viewfinder output, destination of pictures, room, live view's mode, and the focus mode.
    START = {0xD1B0: 0, 0xD11C: 4, 0xD11B: 5000, 0xD1B3: 0, 0xD108: 0}
    DESTINATION, OUTPUT, TO_MEMORY = 0xD11C, 0xD1B0, 4

    def __init__(self):
        self.values = dict(self.START)
        self.changes = [self._property(*item) for item in self.START.items()]
        self.press = 0

    @staticmethod
    def _property(code, value):
        return ptp.pack("IIII", 16, 0xC189, code, value)

    def answer(self, camera, name, code, parameters, data):
        if name.startswith("EOS_") and not hasattr(self, f"do_{name}"):
            return ptp.OK, None, ()
        return super().answer(camera, name, code, parameters, data)

    def do_EOS_GetStorageIDs(self, camera, parameters, data):
        return self.do_GetStorageIDs(camera, parameters, data)

    def do_EOS_GetStorageInfo(self, camera, parameters, data):
        return self.do_GetStorageInfo(camera, parameters, data)

    def do_EOS_GetPartialObject(self, camera, parameters, data):
        return self.do_GetPartialObject(camera, parameters, data)

    def do_EOS_SetDevicePropValueEx(self, camera, _parameters, data):
        _, code, value = ptp.unpack("III", data)
        with camera.lock:
            self.values[code] = value
            self.changes.append(self._property(code, value))
        if code == self.OUTPUT:
            camera.show(bool(value & 2))
        return ptp.OK, None, ()

    def do_EOS_GetEvent(self, camera, _parameters, _data):
        with camera.lock:
            changes, self.changes = b"".join(self.changes), []
        for code, handle in camera.take_events():
            file = camera.files.get(handle)
            if code != ptp.OBJECT_ADDED or file is None:
                continue
            name = file.name.encode("latin-1", "replace") + b"\0"
            if file.on_card:
                changes += ptp.pack("IIIIIIIIII", 0x28 + len(name), 0xC181, handle, CARD,
                                    file.form, 0, 0, len(file.data), 0, handle) + name
            else:
                changes += ptp.pack("IIIIIII", 0x1C + len(name), 0xC186, handle, file.form, 0,
                                    len(file.data), 0) + name
        return ptp.OK, changes + ptp.pack("II", 8, 0), ()

    def do_EOS_RemoteReleaseOn(self, camera, parameters, _data):
        # Bit 0 is the half press, bit 1 the full press; the second parameter leaves focus out.
        pressed, without_focus = parameters[0], len(parameters) > 1 and parameters[1] == 1
        if pressed & 1 and not self.press & 1:
            camera.note("half press", focus=not without_focus)
        code = ptp.OK
        if pressed & 2 and not self.press & 2:
            camera.note("full press")
            to_card = self.values.get(self.DESTINATION) != self.TO_MEMORY
            code, _ = camera.expose(to_card)
        self.press |= pressed
        return code, None, ()

    def do_EOS_RemoteReleaseOff(self, camera, parameters, _data):
        self.press &= ~parameters[0]
        camera.note("release")
        return ptp.OK, None, ()

    def do_EOS_TransferComplete(self, camera, parameters, _data):
        with camera.lock:
            file = camera.files.get(parameters[0])
            if file is not None and not file.on_card:
                del camera.files[parameters[0]]
        return ptp.OK, None, ()

    def do_EOS_GetViewFinderData(self, camera, _parameters, _data):
        frame = camera.live_frame()
        if frame is None:
            return 0xA102, None, ()
        return ptp.OK, ptp.pack("II", 8 + len(frame), 1) + frame, ()


PERSONAS = {"plain": Plain, "nikon": Nikon, "eos": EOS}
