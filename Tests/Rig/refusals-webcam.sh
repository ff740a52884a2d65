# A camera that another program holds, one that the user may not open, none at all: said, by exit code.
# limit: 90
# clips: 720p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)"

# refused STATUS WORDS COMMAND...: ends so, says so, and leaves no photo.
refused() {
  local wanted=$1 words=$2 status=0
  shift 2
  rm -f /run/rig/said
  "$@" 2>/run/rig/said || status=$?
  cat /run/rig/said
  [ "$status" -eq "$wanted" ] || fail "exit $status, not $wanted: $*"
  grep -q "$words" /run/rig/said || fail "the words lack '$words'"
  [ ! -e /run/rig/none.jpg ] || fail "a photo without a camera"
}

v4l2-ctl -d "$webcam" --stream-mmap=4 --stream-count=100000 --stream-to=/dev/null >/dev/null 2>&1 &
holder=$!
wait_for 20 "the other program's stream" eval '[ "$(frames_sent)" -gt 3 ]'
refused 4 v4l2-ctl retake snap --camera "$webcam" --output /run/rig/none.jpg
[ -d "/proc/$holder" ] || fail "the other program did not live through it"
sent=$(frames_sent)
wait_for 10 "the other program's stream to go on" eval '[ "$(frames_sent)" -gt $((sent + 5)) ]'
kill "$holder"
wait "$holder"

chmod 660 "$webcam"
chgrp video "$webcam"
chmod 777 /run/rig
refused 7 video setpriv --reuid 65534 --regid 65534 --clear-groups \
  "$RETAKE_BINARY" snap --camera "$webcam" --output /run/rig/none.jpg

retake snap --camera "$webcam" --output /run/rig/one.jpg >/dev/null || fail "not usable afterwards: $?"
expect_clean /run/rig/one.jpg

# A mode that is not there: the message lists what is.
printf '[camera]\ndevice = "%s"\nsize = "1000x700"\n' "$webcam" >/run/rig/size.toml
refused 2 1280x720 retake snap --config /run/rig/size.toml --output /run/rig/none.jpg

unplug_webcam
refused 3 "$webcam" retake snap --camera "$webcam" --output /run/rig/none.jpg
# The metadata node of a camera gives no pictures, and neither does a file.
refused 3 null retake snap --camera /dev/null --output /run/rig/none.jpg
