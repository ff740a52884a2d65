"""Buttons and lamps where there are none: what is said, and that the station runs all the same.

Buttons that can be pressed are in the virtual machine's tests (Tests/Rig/buttons-*.sh).
"""

import json
import unittest

from station import StationCase

ONE_BUTTON = '[buttons.one]\nline = "GPIO17"\n[lamps.ready]\nline = "GPIO27"\n'


class Buttons(StationCase):
    def test_a_station_whose_buttons_are_not_there_runs(self):
        self.config = self.write_config(more=ONE_BUTTON)
        self.start()
        panel = self.status()["panel"]
        self.assertEqual(panel["buttons"][0]["state"], "waiting")
        self.assertIn("GPIO17", panel["buttons"][0]["problem"])
        self.assertIn("GPIO27", panel["lamps"][0]["problem"])
        self.assertEqual(self.trigger("shutter")[0], 0)

    def test_two_roles_on_one_line(self):
        self.config = self.write_config(more=ONE_BUTTON.replace("GPIO27", "GPIO17"))
        for command in (["run"], ["buttons"], ["buttons", "--test"], ["config"]):
            result = self.run_retake(*command, "--config", self.config)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertRegex(result.stderr, r"retake.toml:\d+:1: 'lamps.ready' uses GPIO17, which")

    def test_the_list(self):
        result = self.run_retake("buttons", "--json", "--config", self.config)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("libgpiod", json.loads(result.stdout)["library"])

    def test_a_lamp_that_is_not_there(self):
        self.config = self.write_config(more=ONE_BUTTON)
        for mode in ("--test", "--off", "--measure-delay"):
            result = self.run_retake("buttons", mode, "--config", self.config)
            self.assertIn(result.returncode, (2, 7), result.stderr)
            self.assertIn("GPIO27", result.stderr)

    def test_no_lamp_to_test(self):
        for mode in ("--test", "--off", "--measure-delay"):
            result = self.run_retake("buttons", mode, "--config", self.config)
            # Nothing to put out is no failure: the service does it at each end.
            self.assertEqual(result.returncode, 0 if mode == "--off" else 2, result.stderr)
            self.assertIn("no lamp is configured", result.stderr)

    def test_modes_do_not_mix(self):
        result = self.run_retake("buttons", "--learn", "--off", "--config", self.config)
        self.assertEqual(result.returncode, 2)
        self.assertIn("'--learn' and '--off' cannot be combined", result.stderr)

    def test_a_power_off_wants_a_hand_on_the_booth(self):
        self.start()
        self.assertEqual(self.trigger("shutdown")[0], 2)


if __name__ == "__main__":
    unittest.main()
