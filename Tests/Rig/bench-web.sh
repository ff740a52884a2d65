# The web server against ustreamer on the same camera in the same boot. A measurement.
# limit: 1200
# clips: 720p-422
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422)"
"$python" "$rig/../../scripts/benchmarks/web.py" --retake "$RETAKE_BINARY" --node "$webcam" \
  --clip "$(clip 720p-422)" --log "$webcam_log" --directory /run/rig "$@" |
  tee "$RIG_OUTPUT/report.txt"
exit "${PIPESTATUS[0]}"
