# The rig's own camera: rates, numbers, faults, controls, plugging.
# limit: 240
# clips: 720p-422-nodht 480p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"

start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)" --mjpeg 640x480="$(clip 480p-422-nodht)" --yuyv 640x480
v4l2-ctl -d "$webcam" --all | grep -E 'Driver name|Card type|brightness|power_line|exposure'

# stream COUNT FILE [SIZE FOURCC RATE]: captures frames; the kernel's account of each is on the output.
stream() {
  timeout 40 v4l2-ctl -d "$webcam" \
    --set-fmt-video=width="${3%x*}",height="${3#*x}",pixelformat="$4" --set-parm="$5" --verbose \
    --stream-mmap=4 --stream-count="$1" --stream-to="$2" 2>&1 | grep 'cap dqbuf'
}

for wanted in "1280x720 MJPG 30" "640x480 MJPG 30" "1280x720 MJPG 15" "640x480 YUYV 15"; do
  read -r size fourcc rate <<<"$wanted"
  : >"$webcam_log"
  stream 60 /run/rig/frames "$size" "$fourcc" "$rate" >/run/rig/account
  [ "$(wc -l </run/rig/account)" -eq 60 ] || fail "$wanted: $(wc -l </run/rig/account) of 60 frames"
  "$python" "$rig/judge_stream.py" --log "$webcam_log" --account /run/rig/account --rate "$rate" ||
    fail "$wanted: see above"
done

# Faults on the wire, named by the frame they hit.
stream 90 /run/rig/frames 1280x720 MJPG 15 >/run/rig/account &
reader=$!
wait_for 20 "the stream" eval '[ "$(frames_sent)" -gt 70 ]'
for fault in cut garbage middle tiny; do
  webcam_say "$fault"
  wait_for 5 "the $fault frame" grep -qE " (${fault}|${fault}50)\$" "$webcam_log"
done
webcam_say stall on
before=$(frames_sent)
pause 1
[ "$(($(frames_sent) - before))" -le 1 ] || fail "frames arrive during a stall"
webcam_say stall off
wait "$reader"

# A control reaches the camera.
v4l2-ctl -d "$webcam" --set-ctrl=brightness=77 --set-ctrl=power_line_frequency=2
wait_for 5 "the control" grep -q 'control brightness 77' "$webcam_log"

# Pulled in the middle of a stream, and put back without a new process.
v4l2-ctl -d "$webcam" --stream-mmap=4 --stream-count=3000 >/run/rig/pulled 2>&1 &
reader=$!
lines=$(frames_sent)
wait_for 20 "the stream" eval '[ "$(frames_sent)" -gt $((lines + 10)) ]'
unplug_webcam
wait_for 10 "the reader's end" gone "$reader"
plug_webcam
lines=$(frames_sent)
stream 10 /run/rig/frames 640x480 MJPG 30 >/run/rig/account
[ "$(wc -l </run/rig/account)" -eq 10 ] || fail "no frames after it was plugged in again"
grep '^#' "$webcam_log" | cut -d ' ' -f 3- | tail -n 12
