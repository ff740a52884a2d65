"""`retake doctor`: one line for each thing, the fix behind each fault, the exit code by the worst."""

import json
import os
import socket
import subprocess
import tempfile

from station import StationCase, wait_until


class Doctor(StationCase):
    def doctor(self, *arguments):
        result = self.run_retake("doctor", "--config", self.config, "--json", *arguments)
        report = json.loads(result.stdout)
        worst = {"ok": 0, "warning": 1, "problem": 2}[report["worst"]]
        self.assertEqual(result.returncode, worst, result.stderr)
        return {finding["code"]: finding for finding in report["findings"]}, result.returncode

    def test_without_a_station(self):
        findings, _ = self.doctor()
        self.assertIn("configuration", findings)
        self.assertIn("clock", {finding["subject"] for finding in findings.values()})
        for finding in findings.values():
            self.assertEqual(set(finding) - {"fix"}, {"code", "subject", "level", "text"})
            self.assertNotIn("{", finding["text"])
            if finding["level"] != "ok":
                self.assertTrue(finding["fix"], finding)

    def test_a_running_station_is_asked(self):
        self.start()
        findings, _ = self.doctor()
        self.assertIn("streams", findings["camera"]["text"])
        self.assertNotIn("camera-none", findings)

    def test_what_there_is_for_movies(self):
        findings, _ = self.doctor()
        self.assertIn("h264_v4l2m2m", findings["movies"]["text"])
        self.assertRegex(findings["movies"]["text"], r"^movies are h264 \((libx264|h264_v4l2m2m)")
        with open(self.config, "a") as file:
            file.write('\n[movie]\ncodec = "copy"\n')
        findings, _ = self.doctor()
        self.assertIn("browsers do not play", findings["movies"]["text"])
        # Without libavcodec: a library of that name that is none.
        for library in ("libavcodec.so.59", "libavcodec.so.61"):
            with open(os.path.join(self.dir, library), "w") as file:
                file.write("none")
        self.config = self.write_config()
        result = self.run_retake(
            "doctor", "--config", self.config, "--json",
            env={**os.environ, "LD_LIBRARY_PATH": self.dir})
        (finding,) = [finding for finding in json.loads(result.stdout)["findings"]
                      if finding["subject"] == "movies"]
        self.assertEqual((finding["code"], finding["level"]), ("movies-copied", "warning"))
        self.assertIn("libavcodec is not installed", finding["text"])
        self.assertRegex(finding["fix"], r"^sudo apt install libavcodec\d+$")

    def test_the_lines_have_level_and_fix(self):
        with open(self.config, "a") as file:
            file.write("\n[countdwn]\nseconds = 1\n")
        result = self.run_retake("doctor", "--config", self.config)
        self.assertEqual(result.returncode, 2)
        lines = result.stdout.splitlines()
        place = [index for index, line in enumerate(lines) if line.startswith("problem  configuration")]
        self.assertTrue(place, result.stdout)
        self.assertIn("retake.toml:", lines[place[0]])
        self.assertIn("->", lines[place[0] + 1])

    def test_a_file_that_is_not_there(self):
        result = self.run_retake("doctor", "--config", f"{self.dir}/none.toml")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none.toml", result.stdout)


class Documents(StationCase):
    """Tests of the documents in the package that the program writes."""

    def setUp(self):
        super().setUp()
        self.documents = tempfile.mkdtemp(dir=self.dir)
        result = self.run_retake("documents", self.documents)
        self.assertEqual(result.returncode, 0, result.stderr)

    def read(self, name):
        with open(os.path.join(self.documents, name)) as file:
            return file.read()

    def test_the_sample_is_a_configuration_without_a_setting(self):
        result = self.run_retake("config", "--json", "--config", f"{self.documents}/retake.toml")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({row["origin"] for row in json.loads(result.stdout)}, {"default"})

    def test_the_manual_has_every_command_and_every_option(self):
        manual = self.read("retake.1").replace("\\-", "-")
        for line in self.run_retake("--help").stdout.splitlines():
            if not line.startswith("  "):
                continue
            command = line.split()[0]
            self.assertIn(f"\n.SS {command}", manual)
            help_text = self.run_retake(command, "--help").stdout
            for option in [word for word in help_text.split() if word.startswith("--") and word[2:3].isalpha()]:
                option = option.rstrip(":;,.'")
                if option != "--help":
                    self.assertIn(option, manual, command)

    def test_the_completion_is_bash_and_completes(self):
        script = f"""
            source {self.documents}/retake.bash
            COMP_WORDS=(retake do) COMP_CWORD=1; _retake; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=(retake run --o) COMP_CWORD=2; _retake; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=(retake photos ver) COMP_CWORD=2; _retake; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=(retake trigger sh) COMP_CWORD=2; _retake; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=(retake run --log d) COMP_CWORD=3; _retake; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=(retake still --mount '') COMP_CWORD=3; _retake; echo "${{COMPREPLY[@]}}"
            COMP_WORDS=(retake snap --fps '') COMP_CWORD=3; _retake; echo "${{COMPREPLY[@]}}"
            retake() {{ printf '* booth: 1 photo, 2 kB\\n  a party: 12 photos, 3 MB\\n'; }}
            COMP_WORDS=(retake photos list --album '') COMP_CWORD=4; _retake; printf '%s|' "${{COMPREPLY[@]}}"
        """
        result = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        self.assertEqual(result.stdout.split("\n"), [
            "doctor", "--once", "verify", "shutter", "debug", "0 90 180 270", "",
            "booth|a party|"], result.stderr)


class Service(StationCase):
    """Tests of the messages to a service manager, with the test's own socket in systemd's place."""

    def start_as_service(self, text=None, listener=None):
        path = os.path.join(self.dir, "notify")
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.notify.close)
        self.notify.bind(path)
        if text is not None:
            with open(self.config, "w") as file:
                file.write(text)
        environment = dict(os.environ, NOTIFY_SOCKET=path, WATCHDOG_USEC="3000000", HOME=self.dir,
                           XDG_RUNTIME_DIR=self.dir)
        environment.pop("STATE_DIRECTORY", None)
        log = open(os.path.join(self.dir, "log"), "w")
        self.addCleanup(log.close)
        from station import RETAKE
        command, passed = [RETAKE, "run", "--config", self.config], ()
        if listener:
            passed, environment["LISTEN_FDS"] = (listener.fileno(),), "1"
            command = ["bash", "-c", f'LISTEN_PID=$$ exec "$0" "$@" 3<&{listener.fileno()}', *command]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   env=environment, pass_fds=passed)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def hear(self, wanted, seconds=30):
        self.notify.settimeout(seconds)
        heard = []
        for _ in range(100):
            heard.append(self.notify.recv(4096).decode())
            if wanted in heard[-1]:
                return heard[-1]
        raise AssertionError(f"'{wanted}' was not said: {heard}")

    def with_demo(self):
        with open(self.config) as file:
            return '[camera]\ndevice = "demo"\n' + file.read()

    def test_it_is_ready_and_beats_and_stops(self):
        process = self.start_as_service(self.with_demo())
        ready = self.hear("READY=1")
        self.assertIn("streaming", ready)
        self.assertIn("no photos since the start", ready)
        for _ in range(3):
            self.hear("WATCHDOG=1", 5)
        process.terminate()
        self.hear("STOPPING=1")
        self.assertEqual(process.wait(10), 0)

    def test_a_wrong_configuration_is_waited_for(self):
        good = self.with_demo()
        # The station cannot read the socket's path from the faulty file, so the default path is
        # used.
        process = self.start_as_service(good.replace("[countdown]", "[countdwn]"))
        self.assertIn("countdwn", self.hear("READY=1"))
        self.hear("WATCHDOG=1", 5)
        result = self.run_retake("trigger", "shutter", "--socket", f"{self.dir}/retake.socket")
        self.assertEqual(result.returncode, 1)
        self.assertIn("countdwn", result.stderr)
        with open(self.config, "w") as file:
            file.write(good)
        os.kill(process.pid, 1)
        self.hear("is streaming")
        result = self.run_retake("trigger", "shutter", "--socket", f"{self.dir}/retake.socket")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_refused_configuration_is_told_and_the_one_before_it_stays(self):
        good = self.with_demo()
        self.start_as_service(good)
        self.hear("is streaming")
        with open(self.config, "w") as file:
            file.write(good.replace("[countdown]", "[countdwn]"))
        result = self.run_retake("trigger", "reload", "--socket", self.socket)
        self.assertEqual(result.returncode, 1)
        self.assertIn("countdwn", result.stderr)
        told = self.hear("was refused")
        self.assertIn("countdwn", told)
        self.assertIn("is streaming", told)
        status = self.run_retake("trigger", "status", "--socket", self.socket)
        self.assertRegex(status.stdout, r"(?m)^wrong +the new configuration was refused.*countdwn")
        with open(self.config, "w") as file:
            file.write(good)
        self.assertEqual(self.run_retake("trigger", "reload", "--socket", self.socket).returncode, 0)
        self.assertNotIn("was refused", self.hear("STATUS="))

    def test_an_address_that_the_socket_unit_keeps_from_use_is_told(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        port = listener.getsockname()[1]
        good = self.with_demo()
        process = self.start_as_service(good.replace('listen = ""', 'listen = "127.0.0.1:9"'), listener)
        self.hear("READY=1")
        page = self.status()["page"]
        self.assertEqual(page, {"address": f"127.0.0.1:{port}", "ignored": "127.0.0.1:9"})
        self.assertIn(f"retake.socket listens at 127.0.0.1:{port}; sudo systemctl edit retake.socket",
                      self.log())
        findings = json.loads(self.run_retake("doctor", "--json", "--config", self.config).stdout)
        self.assertIn("page-socket", [finding["code"] for finding in findings["findings"]])
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
            self.assertIn(b" 200 ", client.recv(100))
        with open(self.config, "w") as file:
            file.write(good.replace('listen = ""', f'listen = "localhost:{port}"'))
        os.kill(process.pid, 1)
        wait_until(lambda: "ignored" not in self.status()["page"], "the right address")
        with open(self.config, "w") as file:
            file.write(good)
        os.kill(process.pid, 1)
        wait_until(lambda: self.status()["page"].get("ignored") == "", "no page, yet a socket")
        self.assertIn("sudo systemctl mask --now retake.socket", self.log())
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            self.assertTrue(client.recv(1000).startswith(b"HTTP/1.1 503 "))

    def test_a_socket_that_is_open_to_others_needs_a_token(self):
        listener = socket.create_server(("0.0.0.0", 0))
        self.addCleanup(listener.close)
        self.start_as_service(self.with_demo().replace('listen = ""', ""), listener)
        self.hear("READY=1")
        self.assertIn("set 'web.token'", self.log())
        with socket.create_connection(listener.getsockname()) as client:
            client.settimeout(2)
            client.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
            self.assertTrue(client.recv(1000).startswith(b"HTTP/1.1 503 "))
        findings = json.loads(self.run_retake("doctor", "--json", "--config", self.config).stdout)
        self.assertIn("page-open", [finding["code"] for finding in findings["findings"]])

    def test_secrets_that_everybody_can_read_are_told(self):
        os.chmod(self.config, 0o644)
        self.start_as_service(self.with_demo().replace('listen = ""', 'listen = ""\npin = "2468"'))
        self.hear("READY=1")
        user = "chmod 600" if os.geteuid() else "sudo chmod 600"
        self.assertIn(f"'web.pin' in {self.config} can be read by every user", self.log())
        self.assertIn(f"; {user} {self.config}", self.log())

    def test_a_camera_that_a_reload_names_in_vain_is_told(self):
        with open(self.config) as file:
            rest = file.read()
        process = self.start_as_service(f'[camera]\ndevice = "demo"\n{rest}')
        self.hear("READY=1")
        for device, fallback, words, state in [
                ("/dev/video250", "[]", "camera /dev/video250: not plugged in", "absent"),
                ("/dev/video251", '["demo"]', "demo is used in place of /dev/video251", "streaming")]:
            with open(self.config, "w") as file:
                file.write(f'[camera]\ndevice = "{device}"\nfallback = {fallback}\n{rest}')
            os.kill(process.pid, 1)
            wait_until(lambda: words in self.log(), words)
            wait_until(lambda: self.status()["camera"]["state"] == state, state)

    def test_a_library_that_is_not_there_is_waited_for(self):
        text = self.with_demo().replace(self.library, f"{self.dir}/card/photos")
        with open(f"{self.dir}/card", "w"):
            pass
        self.start_as_service(text)
        self.assertIn("library: gone", self.hear("READY=1"))
        os.unlink(f"{self.dir}/card")
        os.mkdir(f"{self.dir}/card")
        self.wait_for_state("idle")
        self.hear("no photos since the start", 20)
