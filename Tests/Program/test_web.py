"""The page's server as clients meet it: a station with the demo camera, and sockets."""

import contextlib
import http.client
import json
import os
import re
import resource
import select
import socket
import threading
import time
import unittest

from station import StationCase, wait_until


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class WebCase(StationCase):
    web = ""

    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.configure()

    def configure(self, web="", **options):
        self.config = self.write_config(
            more=f'[web]\nlisten = "127.0.0.1:{self.port}"\n{web}', **options)

    def ask(self, method, target, body=None, headers=None, timeout=20):
        """Status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            headers = dict(headers or {})
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body)
                headers.setdefault("Content-Type", "application/json")
            connection.request(method, target, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def state(self):
        status, _, body = self.ask("GET", "/api/v1/state")
        self.assertEqual(status, 200)
        return json.loads(body)

    def wait_for_page(self, state):
        def reached():
            now = self.state()
            return now if now["state"] == state else None
        return wait_until(reached, f"the page's state {state}")

    def send(self, data):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.addCleanup(client.close)
        client.sendall(data)
        return client

    def press_button(self):
        """Presses the button by a trigger, which must work whatever the network does."""
        code, text = self.trigger("shutter")
        self.assertEqual(code, 0, text)
        self.wait_for_state("reviewing")
        self.assertEqual(self.trigger("cancel")[0], 0)
        self.wait_for_state("idle")


class SessionTests(WebCase):
    def test_a_guest_takes_a_photo_with_the_page_alone(self):
        self.start()
        self.assertEqual(self.state()["state"], "idle")
        status, headers, body = self.ask("POST", "/api/v1/shutter")
        self.assertEqual(status, 200, body)
        review = self.wait_for_page("reviewing")
        session = review["session"]
        status, headers, still = self.ask("GET", f"/api/v1/review/{session}.jpg")
        self.assertEqual((status, headers["Content-Type"]), (200, "image/jpeg"))

        def accepted():
            # Until it has been on show long enough to be seen, nothing can be accepted.
            status, _, body = self.ask("POST", "/api/v1/accept", {"session": session})
            self.assertIn(status, (200, 409), body)
            return status == 200
        wait_until(accepted, "the accept")
        done = self.wait_for_page("finished")
        self.assertEqual(len(self.photos()), 1)
        with open(self.photos()[0], "rb") as file:
            saved = file.read()
        self.assertEqual(still, saved, "the review is not what was saved")
        photo = done["lastPhoto"]
        self.assertEqual(photo["path"], self.photos()[0])
        page = json.loads(self.ask("GET", "/api/v1/photos")[2])
        wait_until(lambda: json.loads(self.ask("GET", "/api/v1/photos")[2])["total"] == 1,
                   "the photo in the list")
        page = json.loads(self.ask("GET", "/api/v1/photos")[2])
        self.assertEqual(page["photos"][0]["id"], photo["id"])
        name = photo["id"].replace("/", "%2F")
        status, headers, original = self.ask("GET", f"/api/v1/photos/{name}/original")
        self.assertEqual((status, original), (200, saved))
        status, headers, part = self.ask(
            "GET", f"/api/v1/photos/{name}/original", headers={"Range": "bytes=2-9"})
        self.assertEqual((status, part), (206, saved[2:10]))
        status, headers, thumbnail = self.ask("GET", f"/api/v1/photos/{name}/thumbnail.jpg")
        self.assertEqual((status, thumbnail[:2]), (200, b"\xff\xd8"))
        self.assertLess(len(thumbnail), len(saved))

    def test_a_command_for_a_session_that_is_over_changes_nothing(self):
        self.start()
        self.ask("POST", "/api/v1/shutter")
        session = self.wait_for_page("reviewing")["session"]
        for command in ("accept", "retake", "cancel", "shutter"):
            status, headers, body = self.ask(
                "POST", f"/api/v1/{command}", {"session": session + 1})
            self.assertEqual(status, 409)
            self.assertEqual(headers["Content-Type"], "application/problem+json")
            self.assertEqual(json.loads(body)["code"], "stale")
        self.assertEqual(self.state()["state"], "reviewing")
        self.assertEqual(self.state()["session"], session)

    def test_events_follow_a_session_and_the_station_is_heard_to_be_alive(self):
        self.start()
        client = self.send(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        text = b""
        # The stream begins with the state of its time: that is before the press.
        while b'"state":' not in text:
            text += client.recv(65536)
        self.press_button()
        end = time.monotonic() + 20
        while b'"state":"cancelled"' not in text or b"event: heartbeat" not in text:
            self.assertLess(time.monotonic(), end, text)
            text += client.recv(65536)
        states = re.findall(rb'"state":"(idle|countdown|capturing|reviewing|cancelled)"', text)
        self.assertEqual(states[0], b"idle")
        self.assertIn(b"reviewing", states)
        ids = [int(number) for number in re.findall(rb"\nid: (\d+)\n", text)]
        self.assertEqual(ids, sorted(set(ids)))

    def test_the_preview_says_how_it_becomes_the_photo(self):
        self.start()
        preview = self.state()["preview"]
        self.assertEqual(preview["frame"], {"width": 1280, "height": 720})
        self.assertEqual(preview["crop"]["width"], 540)
        self.assertEqual(preview["turns"], 0)
        self.assertTrue(preview["mirrored"])
        status, headers, frame = self.ask("GET", "/api/v1/preview")
        self.assertEqual((status, frame[:2], frame[-2:]), (200, b"\xff\xd8", b"\xff\xd9"))
        number = int(headers["X-Retake-Frame"])
        status, headers, _ = self.ask("GET", f"/api/v1/preview?after={number}")
        self.assertEqual(status, 200)
        self.assertNotEqual(int(headers["X-Retake-Frame"]), number)

    def test_what_is_missing_is_told_at_the_page(self):
        self.configure(web='pin = "4321"', library=os.path.join(self.dir, "photos"))
        self.start()
        # A file in its place: a directory would be made anew.
        os.rename(self.library, os.path.join(self.dir, "gone"))
        open(self.library, "w").close()
        trouble = wait_until(lambda: self.state()["trouble"], "the trouble")
        self.assertEqual(trouble["kind"], "storage")
        self.assertNotIn("operator", trouble)
        known = json.loads(
            self.ask("GET", "/api/v1/state", headers={"X-Retake-Pin": "4321"})[2])["trouble"]
        self.assertTrue(known["operator"]["reason"])
        status, _, body = self.ask("POST", "/api/v1/shutter")
        self.assertEqual((status, json.loads(body)["code"]), (409, trouble["code"]))


class StartTests(WebCase):
    def test_a_port_in_use_is_told_with_the_fix(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", self.port))
            other.listen()
            result = self.run_retake("run", "--config", self.config, "--camera", "demo",
                                     stdin=-3)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("in use", result.stderr)
        self.assertIn("web.listen", result.stderr)

    def test_listening_for_others_needs_a_token(self):
        self.config = self.write_config(more='[web]\nlisten = "0.0.0.0:8099"\n')
        result = self.run_retake("run", "--config", self.config, "--camera", "demo", stdin=-3)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("web.token", result.stderr)

    def test_a_station_restarts_on_the_same_port_at_once(self):
        for _ in range(2):
            process = self.start()
            viewer = self.send(b"GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
            viewer.recv(1000)
            process.terminate()
            self.assertEqual(process.wait(20), 0, self.log())

    def test_secrets_are_never_shown(self):
        self.configure(web='token = "0123456789abcdef"\npin = "4321"')
        shown = self.run_retake("config", "--config", self.config)
        self.assertNotIn("0123456789abcdef", shown.stdout + shown.stderr)
        self.assertNotIn("4321", shown.stdout + shown.stderr)


class BadInputTests(WebCase):
    def problem(self, status, answer):
        self.assertEqual(answer[0], status, answer[2])
        self.assertEqual(answer[1]["Content-Type"], "application/problem+json")
        document = json.loads(answer[2])
        self.assertEqual(document["status"], status)
        self.assertTrue(document["title"] and document["detail"])

    def test_requests_that_parse_get_the_right_status_and_a_problem(self):
        self.start()
        for method, target, status in [
                ("GET", "/none", 404), ("GET", "/../../etc/passwd", 404),
                ("GET", "/page/..%2f..%2fetc%2fpasswd", 404),
                ("GET", "/api/v1/photos/..%2f..%2fetc%2fpasswd/original", 404),
                ("GET", "/api/v1/photos/booth%2f.retake.lock/original", 404),
                ("GET", "/api/v1/photos/%2fetc%2fpasswd/original", 404),
                ("DELETE", "/api/v1/state", 405), ("GET", "/api/v1/accept", 405),
                ("PUT", "/", 405), ("GET", "/api/v1/photos?limit=abc", 400),
                ("GET", "/api/v1/photos?before=abc", 404), ("GET", "/%zz", 400)]:
            with self.subTest(f"{method} {target}"):
                self.problem(status, self.ask(method, target))
        for body in [b"{", b"[]", b"1", b'"x"', b"{}{}", b'{"session":true}', b'{"session":-1}',
                     b'{"session":1e400}', b'{"a":1}', b"\xff\xfe", b"[" * 5000, b"null"]:
            with self.subTest(body[:20]):
                self.problem(400, self.ask("POST", "/api/v1/accept", body,
                                           {"Content-Type": "application/json"}))
        self.problem(413, self.ask("POST", "/api/v1/accept", b" " * 100_000,
                                   {"Content-Type": "application/json"}))
        self.problem(400, self.ask("GET", "/api/v1/state", b"{}"))
        self.problem(421, self.ask("GET", "/", headers={"Host": "evil.example"}))
        self.problem(403, self.ask("POST", "/api/v1/shutter",
                                   headers={"Origin": "http://evil.example"}))
        self.press_button()

    def test_bodies_of_the_wrong_types_get_a_problem_and_change_nothing(self):
        self.start()
        self.assertEqual(self.trigger("shutter")[0], 0)
        session = self.wait_for_page("reviewing")["session"]
        for command, body in [
                ("begin", {"source": 1}), ("begin", {"source": "camera", "limit": "x"}),
                ("begin", {"source": "camera", "limit": -1}), ("begin", {"source": "nowhere"}),
                ("begin", {"source": "camera", "edit": "yes"}),
                ("select", {"item": 7}), ("select", {}), ("deselect", {"item": ["a"]}),
                ("editor", {"item": None}), ("edit", {"crop": "all"}),
                ("edit", {"crop": {"x": "0", "y": 0, "width": 1, "height": 1}}),
                ("edit", {"quarterTurns": 4}), ("edit", {"quarterTurns": 1.5}),
                ("edit", {"crop": {"x": 0}}), ("shutter", {"session": "12"}),
                ("accept", {"session": [session]}), ("cancel", {"session": {}}),
                ("record", {"session": False}), ("stop", {"session": 2 ** 70}),
                ("heartbeat", {"page": 1}), ("heartbeat", {"visible": "yes"})]:
            with self.subTest(command=command, body=body):
                answer = self.ask("POST", f"/api/v1/{command}", body)
                self.problem(400, answer)
        now = self.state()
        self.assertEqual((now["state"], now["session"]), ("reviewing", session))
        self.problem(415, self.ask("POST", "/api/v1/accept", b"{}", {"Content-Type": "text/plain"}))
        self.assertEqual(self.state()["state"], "reviewing")

    def test_bad_ranges_of_a_photo(self):
        self.start()
        self.take_one()
        photo = json.loads(self.ask("GET", "/api/v1/photos")[2])["photos"][0]
        target = "/api/v1/photos/" + photo["id"].replace("/", "%2F") + "/original"
        size = photo["bytes"]
        for range, status, count in [
                ("bytes=0-0", 206, 1), ("bytes=-1", 206, 1), (f"bytes={size - 1}-", 206, 1),
                (f"bytes=0-{size * 9}", 206, size), (f"bytes={size}-", 416, None),
                ("bytes=-0", 416, None), (f"bytes={2 ** 64}-", 416, None), ("bytes=5-2", 200, size),
                ("bytes=a-b", 200, size), ("bytes=", 200, size), ("bytes=0-1,5-6", 200, size),
                ("lines=1-2", 200, size), ("bytes=0x0-0x1", 200, size), ("bytes=--1", 200, size),
                ("bytes=" + "9" * 500 + "-", None, None)]:
            with self.subTest(range):
                answer = self.ask("GET", target, headers={"Range": range})
                if status == 416:
                    self.problem(416, answer)
                    self.assertEqual(answer[1]["Content-Range"], f"bytes */{size}")
                elif status:
                    self.assertEqual(answer[0], status, answer[2][:200])
                    self.assertEqual(len(answer[2]), count)
                else:
                    self.assertIn(answer[0], (200, 416))

    def test_nothing_is_lost_and_nothing_grows_under_bad_requests(self):
        process = self.start()
        self.take_one()
        kept = {path: self.bytes_of(path) for path in self.photos()}
        self.assertEqual(len(kept), 1)
        bad = [("GET", "/none", None), ("GET", "/%zz", None), ("PATCH", "/api/v1/state", None),
               ("GET", "/api/v1/photos?limit=abc", None), ("GET", "/api/v1/photos/booth%2Fno/original", None),
               ("DELETE", f"/api/v1/photos/{os.path.basename(next(iter(kept)))}", None),
               ("POST", "/api/v1/accept", b"{"), ("POST", "/api/v1/select", b'{"item":1}'),
               ("POST", "/api/v1/begin", b"[" * 5000), ("POST", "/api/v1/accept", b" " * 100_000),
               ("GET", "/api/v1/state", b"{}"), ("GET", "/api/v1/events/" + "a" * 3000, None)]

        def insist(rounds):
            for _ in range(rounds):
                for method, target, body in bad:
                    headers = {"Content-Type": "application/json"} if body else {}
                    self.assertIn(self.ask(method, target, body, headers)[0] // 100, (4,), target)
                # Half a request, and gone.
                self.send(b"POST /api/v1/accept HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{").close()
        descriptors = lambda: len(os.listdir(f"/proc/{process.pid}/fd"))
        before = descriptors()
        insist(20)
        memory = self.memory(process)
        insist(80)
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)
        self.assertLess(self.memory(process) - memory, 6 << 20)
        wait_until(lambda: descriptors() <= before + 2, "the end of half requests", 60)
        self.assertEqual({path: self.bytes_of(path) for path in self.photos()}, kept)
        self.press_button()

    def take_one(self):
        self.assertEqual(self.trigger("shutter")[0], 0)
        self.wait_for_state("reviewing")
        wait_until(lambda: self.trigger("accept")[0] == 0, "the photo to be taken over")
        self.wait_for_state("finished")
        self.trigger("cancel")
        self.wait_for_state("idle")

    @staticmethod
    def bytes_of(path):
        with open(path, "rb") as file:
            return file.read()

    def test_what_is_no_http_is_refused_or_closed(self):
        self.start()
        for text in [b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/7.7\r\n\r\n", b"\r\n" * 100,
                     b"GET / HTTP/1.1\r\nHost: a\r\n : b\r\n\r\n", os.urandom(5000) + b"\r\n\r\n",
                     b"GET " + b"/a" * 50_000 + b" HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + b"A: " + b"b" * 200_000 + b"\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
                     b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: x\r\n\r\n"]:
            with self.subTest(text[:30]):
                with contextlib.suppress(ConnectionError):
                    client = self.send(text)
                    with contextlib.suppress(OSError):
                        client.shutdown(socket.SHUT_WR)  # it may have hung up already
                    answer = b""
                    while part := client.recv(65536):
                        answer += part
                    self.assertTrue(answer == b"" or re.match(rb"HTTP/1\.\d [45]", answer),
                                    answer[:60])
        self.press_button()

    def test_ten_thousand_connections_leave_the_button_alone(self):
        process = self.start()
        before = self.memory(process)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 12_000), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        open_now, made = [], 0
        while made < 10_000:
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", self.port))
            open_now.append(client)
            made += 1
            if len(open_now) > min(hard, 12_000) - 200:
                open_now.pop(0).close()
            if made == 5_000:
                self.press_button()
        self.press_button()
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)
        descriptors = len(os.listdir(f"/proc/{process.pid}/fd"))
        self.assertLess(descriptors, 700)
        for client in open_now:
            client.close()
        self.assertLess(self.memory(process) - before, 40 << 20)

    def test_slow_and_half_closed_clients_are_cut(self):
        self.start()
        slow = self.send(b"GET / HTTP/1.1\r\n")
        begun = time.monotonic()
        half = self.send(b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n")
        half.shutdown(socket.SHUT_WR)
        self.assertEqual(half.recv(1000), b"")
        # The slow client keeps sending, and its connection is closed all the same.
        slow.setblocking(False)
        while True:
            self.assertLess(time.monotonic() - begun, 25)
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                slow.send(b"a")
            readable, _, _ = select.select([slow], [], [], 0.5)
            if readable:
                try:
                    self.assertEqual(slow.recv(1000), b"")
                except ConnectionResetError:
                    pass
                break
        self.press_button()

    @staticmethod
    def memory(process):
        with open(f"/proc/{process.pid}/statm") as file:
            return int(file.read().split()[1]) * 4096


class ViewerTests(WebCase):
    def test_a_stalled_viewer_and_twenty_good_ones_leave_each_other_alone(self):
        self.start()
        stalled = socket.socket()
        self.addCleanup(stalled.close)
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect(("127.0.0.1", self.port))
        stalled.sendall(b"GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
        counts = [0] * 20
        end = time.monotonic() + 6

        def look(index):
            client = socket.create_connection(("127.0.0.1", self.port), timeout=20)
            with client:
                client.sendall(b"GET /preview.mjpg HTTP/1.1\r\nHost: localhost\r\n\r\n")
                tail = b""
                while time.monotonic() < end:
                    part = client.recv(1 << 20)
                    if not part:
                        return
                    text = tail + part
                    counts[index] += text.count(b"X-Retake-Frame")
                    tail = text[-13:]
        before = self.status()["camera"]
        threads = [threading.Thread(target=look, args=(index,)) for index in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        after = self.status()["camera"]
        published = after["framesPublished"] - before["framesPublished"]
        self.assertGreater(published, 20)
        self.assertEqual(after["framesDamaged"], 0)
        # Each frame is copied at most once, regardless of the number of viewers.
        self.assertLessEqual(after["framesCopied"] - before["framesCopied"], published + 5)
        for count in counts:
            self.assertGreater(count, published // 4, counts)
        self.press_button()


if __name__ == "__main__":
    unittest.main()
