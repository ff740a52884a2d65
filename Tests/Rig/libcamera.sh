# The webcam behind libcamera's own pipeline, through its V4L2 layer: snap works.
# limit: 120
# clips: 720p-422
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
layer=$(find /usr/lib -name v4l2-compat.so -print -quit 2>/dev/null)
[ -n "$layer" ] || skip "libcamera-v4l2 is not installed"
udevd=$(find /lib/systemd /usr/lib/systemd -name systemd-udevd -print -quit 2>/dev/null)
[ -n "$udevd" ] || skip "udev is not installed"

# libcamera finds media devices through udev only. The guest's root is a chroot to it.
export SYSTEMD_IGNORE_CHROOT=1
"$udevd" --daemon 2>/dev/null || fail "no udevd"
udev=$(pgrep -n -f systemd-udevd)

start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422)" --yuyv 640x480
# libcamera names a USB camera by the place of its controller in the firmware, and takes none without.
# A virtual controller has no such place: it gets one, by a folder over the folder that it is in.
platform=/sys/devices/platform
mkdir -p /run/rig/platform
mount --bind $platform /run/rig/platform
mount -t tmpfs tmpfs $platform
mkdir -p $platform/vhci_hcd.0 $platform/firmware_node
echo '\_SB_.RIG0' >$platform/firmware_node/path
mount --bind /run/rig/platform/vhci_hcd.0 $platform/vhci_hcd.0
restore() {
  umount $platform/vhci_hcd.0 $platform /run/rig/platform
  kill "$udev"
}
trap restore EXIT
udevadm settle -t 20
wait_for 10 "udev's links" test -e /dev/v4l/by-id

# through COMMAND...: with the layer between the program and the kernel, as `libcamerify` does it.
through() { env LD_PRELOAD="$layer" LIBCAMERA_LOG_LEVELS='*:ERROR' "$@"; }

through v4l2-ctl -d "$webcam" --info >/run/rig/info 2>&1
grep 'Driver name.*libcamera' /run/rig/info || { cat /run/rig/info; fail "the layer did not take the camera"; }

through "$RETAKE_BINARY" cameras | tee /run/rig/cameras
grep -q libcamera /run/rig/cameras || fail "retake cameras does not see the layer"

for number in 1 2 3; do
  through "$RETAKE_BINARY" snap --json --camera "$webcam" --output "$RIG_OUTPUT/$number.jpg" \
    >"$RIG_OUTPUT/$number.json" || fail "retake snap ended with $?"
  expect_clean "$RIG_OUTPUT/$number.jpg"
  expect_portrait "$RIG_OUTPUT/$number.jpg"
  expect_upright "$RIG_OUTPUT/$number.jpg"
done
# Under emulation the layer adds its time, so that the nearest frame may be farther away.
"$python" "$rig/judge_shot.py" --log "$webcam_log" --count 3 --within 300 "$RIG_OUTPUT"/[123].json ||
  fail "a photo is not the frame of its press"

printf '[camera]\ndevice = "%s"\nformat = "YUYV"\n' "$webcam" >/run/rig/raw.toml
through "$RETAKE_BINARY" snap --config /run/rig/raw.toml --output "$RIG_OUTPUT/raw.jpg" ||
  fail "YUYV: retake snap ended with $?"
expect_clean "$RIG_OUTPUT/raw.jpg"
expect_portrait "$RIG_OUTPUT/raw.jpg"

# Without the layer it is the kernel's camera again.
retake snap --camera "$webcam" --output "$RIG_OUTPUT/kernel.jpg" || fail "without it: $?"
expect_clean "$RIG_OUTPUT/kernel.jpg"
