# Streams for MINUTES (30 unless told): memory and descriptors stay as they are.
# limit: 2100
# clips: 720p-422-nodht
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_disk
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-422-nodht)"
"$python" "$rig/soak.py" --retake "$RETAKE_BINARY" --camera "$webcam" --directory /run/rig \
  --library /disk/photos --minutes "${1:-30}" | tee "$RIG_OUTPUT/soak.txt"
exit "${PIPESTATUS[0]}"
