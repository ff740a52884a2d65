# An MJPEG camera without Huffman tables: the photo is the frame of the press, lossless and portrait.
# limit: 240
# clips: 720p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)"
retake cameras --json >"$RIG_OUTPUT/cameras.json" || fail "retake cameras ended with $?"
grep -q "$webcam_serial" "$RIG_OUTPUT/cameras.json" || fail "retake cameras does not tell the serial number"
grep -q "${webcam#/dev/}" "$RIG_OUTPUT/cameras.json" || fail "retake cameras does not tell $webcam"

photo=$RIG_OUTPUT/snap.jpg
retake snap --json --camera "$webcam" --output "$photo" >"$RIG_OUTPUT/snap.json" ||
  fail "retake snap ended with $?"
expect_clean "$photo"
expect_portrait "$photo"
expect_upright "$photo"
# The photo contains the camera's data from the driver and sysfs.
make=$(exiv2 -K Exif.Image.Make -Pv "$photo") serial=$(exiv2 -K Exif.Photo.BodySerialNumber -Pv "$photo")
[ "$make" = Retake ] || fail "the photo's make is '$make'"
[ "$serial" = "$webcam_serial" ] || fail "the photo's serial number is '$serial', not $webcam_serial"
mode=$(exiv2 -K Exif.Photo.ExposureMode -Pv "$photo")
[ -n "$mode" ] || fail "the photo does not say how it was exposed"

cat >/run/rig/retake.toml <<C
[camera]
device = "$webcam"
size = "1280x720"

[countdown]
seconds = 0

[library]
path = "/disk/photos"
C
runs=3
start_disk
for ((run = 1; run <= runs; run++)); do
  retake run --once --json --camera "$webcam" --config /run/rig/retake.toml \
    >"$RIG_OUTPUT/run$run.json" || fail "retake run --once ended with $?"
  photo=$(json_field path <"$RIG_OUTPUT/run$run.json")
  [ -s "$photo" ] || fail "the path printed is no file: $photo"
  expect_clean "$photo"
  expect_portrait "$photo"
  expect_upright "$photo"
done
"$python" "$rig/judge_shot.py" --log "$webcam_log" --count $((runs + 1)) \
  "$RIG_OUTPUT"/snap.json "$RIG_OUTPUT"/run?.json || fail "a photo is not the frame of its press"
