# Capture against other programs on the same camera in the same boot. A measurement.
# limit: 1500
# clips: 720p-422
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422)"
"$python" "$rig/../../scripts/benchmarks/capture.py" --retake "$RETAKE_BINARY" --node "$webcam" \
  --clip "$(clip 720p-422)" --log "$webcam_log" --control "$webcam_control" --directory /run/rig \
  --serial "$webcam_serial" --webcam "$webcam_process" "$@" | tee "$RIG_OUTPUT/report.txt"
exit "${PIPESTATUS[0]}"
