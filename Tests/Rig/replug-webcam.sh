# The webcam is pulled and put back 20 times during sessions: no photo lost, none wrong, one process.
# limit: 200
# clips: 720p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_disk
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)"
"$python" "$rig/replug_webcam.py" --retake "$RETAKE_BINARY" --camera "$webcam_serial" \
  --node "$webcam" --log "$webcam_log" --control "$webcam_control" --directory /run/rig \
  --library /disk/photos --cycles "${1:-20}" || fail "see above"
