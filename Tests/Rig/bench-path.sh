# From the press to the photo on the kernel's uvcvideo: which frame, memory, copies. A measurement.
# limit: 900
# clips: 720p-422-nodht 1080p-422
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
start_disk
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)" --mjpeg 1920x1080="$(clip 1080p-422)"
"$python" "$rig/../../scripts/benchmarks/path.py" --retake "$RETAKE_BINARY" --camera "$webcam" \
  --webcam-log "$webcam_log" --library /disk/photos "$@" | tee "$RIG_OUTPUT/report.txt"
