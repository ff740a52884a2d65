"""Every combination of `[orientation]` on every kind of JPEG, against Pillow and jpegtran."""

import itertools
import json
import os
import subprocess
import unittest

from PIL import Image, ImageChops, ImageStat

from station import StationCase

MOUNTS = (0, 90, 180, 270)
MIRRORS = ("none", "preview", "saved", "both")
METHODS = ("rotate-cw", "rotate-ccw", "crop")
ASPECTS = {"3:4": (3, 4), "2:3": (2, 3), "9:16": (9, 16), "free": None}
# Pillow's numbers.
SAMPLINGS = {"444": 0, "422": 1, "420": 2, "gray": None}
# Even ones are multiples of every unit.
SIZES = {"even": (160, 112), "odd": (157, 109)}
# jpegtran's words for quarter turns clockwise, then mirrored.
TRANSFORMS = {(0, False): [], (1, False): ["-rotate", "90"], (2, False): ["-rotate", "180"],
              (3, False): ["-rotate", "270"], (0, True): ["-flip", "horizontal"],
              (1, True): ["-transpose"], (2, True): ["-flip", "vertical"],
              (3, True): ["-transverse"]}


def turned(image, turns, mirrored):
    """Quarter turns clockwise, then mirrored, by Pillow."""
    image = image.rotate(-90 * turns, expand=True)
    return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if mirrored else image


def luma(path):
    """Luma as it is stored, without any colour conversion."""
    image = Image.open(path)
    image.draft("L", image.size)
    image.load()
    return image


class Table(StationCase):
    def source(self, sampling, size):
        """Makes a picture that differs at every position, with colours that chroma of any size can hold."""
        width, height = SIZES[size]
        ramp = Image.linear_gradient("L")
        image = Image.merge("RGB", (
            ramp.resize((width, height)), ramp.rotate(90).resize((width, height)),
            ramp.rotate(180).resize((width, height))))
        number = SAMPLINGS[sampling]
        path = os.path.join(self.dir, f"{sampling}-{size}.jpg")
        if number is None:
            image.convert("L").save(path, quality=95)
        else:
            image.save(path, quality=95, subsampling=number)
        return path

    def wanted(self, size, mount, mirror, method, aspect):
        """Turns, and the size and middle of what is kept, by the words of the configuration."""
        turns, mirrored, crops = mount // 90, mirror in ("saved", "both"), False
        upright = size if turns % 2 == 0 else size[::-1]
        if upright[0] > upright[1]:
            crops = method == "crop"
            turns = (turns + {"rotate-cw": 1, "rotate-ccw": 3, "crop": 0}[method]) % 4
        across = upright if turns % 2 == mount // 90 % 2 else upright[::-1]
        if not crops:
            return turns, mirrored, across, False
        ratio = ASPECTS[aspect] or sorted(size)
        return turns, mirrored, (round(across[1] * ratio[0] / ratio[1]), across[1]), True

    def check(self, sampling, size, source, mount, mirror, method, aspect):
        output = os.path.join(self.dir, f"out-{sampling}-{size}-{mount}-{mirror}-{method}"
                                        f"-{aspect.replace(':', '')}.jpg")
        result = self.run_retake(
            "still", source, "--output", output, "--json", "--mount", str(mount), "--mirror",
            mirror, "--method", method, "--aspect", aspect, "--enforce", "portrait")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        turns, mirrored, kept, crops = self.wanted(SIZES[size], mount, mirror, method, aspect)
        self.assertEqual((report["turns"], report["isMirrored"]), (turns, mirrored))
        self.assertTrue(report["isLossless"])
        self.assertLess(max(report["trimmedColumns"], report["trimmedRows"]), 16)
        x, y, width, height = map(int, report["crop"].split(","))
        still = (width, height) if turns % 2 == 0 else (height, width)
        self.assertEqual((report["width"], report["height"]), still)
        for axis in (0, 1):
            # Short of what is wanted by what was trimmed at most, and in the middle within a unit.
            self.assertLessEqual(abs(still[axis] - kept[axis]), 15 if crops or size == "odd" else 0)
        middle = (x + width / 2, y + height / 2)
        for axis in (0, 1):
            self.assertLessEqual(abs(middle[axis] - SIZES[size][axis] / 2), 16)

        box = (x, y, x + width, y + height)
        difference = ImageChops.difference(
            turned(luma(source).crop(box), turns, mirrored), luma(output))
        # A decoder rounds columns before rows: turned, a value may differ by one.
        self.assertLessEqual(difference.getextrema()[1], 2, output)
        with Image.open(source) as image, Image.open(output) as made:
            self.assertEqual(image.mode, made.mode)
            expected = turned(image.crop(box), turns, mirrored)
            # Chroma is smoothed along rows only, which become columns.
            mean = ImageStat.Stat(ImageChops.difference(expected, made)).mean
            self.assertLess(max(mean), 1.5, output)
        if not crops:
            self.compare_with_jpegtran(source, output, turns, mirrored)
        return output

    def compare_with_jpegtran(self, source, output, turns, mirrored):
        """Tests that the pixels equal those of jpegtran."""
        reference = os.path.join(self.dir, "reference.jpg")
        subprocess.run(["jpegtran", "-copy", "none", "-trim", *TRANSFORMS[turns, mirrored],
                        "-outfile", reference, source], check=True)
        with Image.open(reference) as expected, Image.open(output) as made:
            self.assertEqual(expected.size, made.size)
            self.assertIsNone(ImageChops.difference(expected, made).getbbox(), output)

    def run_table(self, sampling, size):
        source = self.source(sampling, size)
        outputs = [self.check(sampling, size, source, *row)
                   for row in itertools.product(MOUNTS, MIRRORS, METHODS, ASPECTS)]
        self.assertEqual(len(outputs), 192)
        checked = subprocess.run(["jpeginfo", "-c", *outputs], capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        self.assertNotIn("WARNING", checked.stdout)
        for output in outputs:
            decoded = subprocess.run(
                ["djpeg", "-outfile", os.devnull, output], capture_output=True)
            self.assertEqual((decoded.returncode, decoded.stderr), (0, b""), output)


for sampling, size in itertools.product(SAMPLINGS, SIZES):
    def test(self, sampling=sampling, size=size):
        self.run_table(sampling, size)
    setattr(Table, f"test_{sampling}_{size}", test)


if __name__ == "__main__":
    unittest.main()
