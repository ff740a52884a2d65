"""Tests of the operator's page, with the program as a service and without one."""

import json
import os
import socket
import unittest

import test_web
from station import wait_until

PIN = {"X-Retake-Pin": "2468"}


class OperatorTests(test_web.WebCase):
    def configure(self, web="", **options):
        super().configure('pin = "2468"\n' + web, **options)

    def do(self, method, target, headers=PIN):
        """Status and body."""
        status, _, body = self.ask(method, f"/api/v1/{target}", headers=headers)
        return status, body

    def health(self):
        status, body = self.do("GET", "health")
        self.assertEqual(status, 200)
        return json.loads(body)

    def take(self):
        """The id of a new photo, and its path."""
        before = self.photos()
        # The library is opened anew after a change of album.
        wait_until(lambda: self.trigger("shutter")[0] == 0, "the press")
        self.wait_for_state("reviewing")
        wait_until(lambda: self.trigger("accept")[0] == 0, "the photo to be taken over")
        self.wait_for_state("finished")
        self.trigger("cancel")
        self.wait_for_state("idle")
        photo = json.loads(self.do("GET", "photos?limit=1")[1])["photos"][0]
        return photo["id"], next(path for path in self.photos() if path not in before and not path.endswith(".db"))

    def test_the_report_has_room_camera_and_album(self):
        self.start()
        health = self.health()
        status = health["status"]
        self.assertGreater(status["library"]["freeBytes"], 1_000_000)
        self.assertEqual(health["album"], "booth")
        self.assertIs(health["canRestart"], False)
        self.assertEqual(health["faults"], [])
        self.assertTrue(status["camera"]["mode"])
        self.assertEqual([check["ok"] for check in health["checks"]], [True, True])

    def test_a_fault_stays_in_the_report_after_its_end(self):
        self.configure('[buttons.shutter]\nline = "NO-SUCH-LINE"\n')
        self.start()
        wrong = wait_until(lambda: [check for check in self.health()["checks"] if not check["ok"]], "the check")
        self.assertEqual(wrong[0]["name"], "button shutter")
        fault = self.health()["faults"][0]
        self.assertEqual((fault["source"], fault["reason"]), ("button shutter", wrong[0]["detail"]))
        self.assertNotIn("lasted", fault)
        self.configure()
        self.assertEqual(self.trigger("reload")[0], 0)
        ended = wait_until(lambda: [one for one in self.health()["faults"] if "lasted" in one], "its end")
        self.assertEqual(ended[0]["reason"], fault["reason"])

    def test_a_test_shot_is_the_photo_that_would_be_saved_and_is_not_saved(self):
        self.start()
        status, picture = self.do("GET", "operator/test-shot")
        self.assertEqual(status, 200)
        path = os.path.join(self.dir, "shot.jpg")
        with open(path, "wb") as file:
            file.write(picture)
        self.assert_upright_portrait(path)
        self.assertEqual(self.photos(), [path])

    def test_photos_are_deleted_and_the_next_album_is_used(self):
        self.start()
        first, path = self.take()
        self.assertEqual(self.do("DELETE", "photos/" + first.replace("/", "%2F"), {})[0], 401)
        self.assertTrue(os.path.exists(path))
        self.assertEqual(self.do("DELETE", "photos/" + first.replace("/", "%2F"))[0], 204)
        self.assertFalse(os.path.exists(path))
        status, body = self.do("POST", "operator/album")
        self.assertEqual((status, json.loads(body)), (200, {"album": "booth-2"}))
        wait_until(lambda: self.health()["album"] == "booth-2", "the album")
        second, _ = self.take()
        self.assertTrue(second.startswith("booth-2/"), second)
        listed = self.run_retake("photos", "album", "--config", self.config)
        self.assertIn("* booth-2", listed.stdout)

    def test_a_restart_ends_the_program_only_where_a_service_manager_starts_it_again(self):
        process = self.start()
        status, body = self.do("POST", "operator/restart")
        self.assertEqual(status, 409)
        self.assertIn("systemctl enable", json.loads(body)["fix"])
        self.assertIsNone(process.poll())
        process.kill()
        process.wait()
        path = os.path.join(self.dir, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(path)
            process = self.start(env=dict(os.environ, NOTIFY_SOCKET=path, HOME=self.dir))
            self.assertIs(self.health()["canRestart"], True)
            self.assertEqual(self.do("POST", "operator/restart", {})[0], 401)
            self.assertEqual(self.do("POST", "operator/restart")[0], 204)
            self.assertEqual(process.wait(30), 0)


if __name__ == "__main__":
    unittest.main()
