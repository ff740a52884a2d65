# Frames that were cut, are rubbish or padded: none that is damaged is published, no good one dropped.
# limit: 120
# clips: 720p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

"$python" "$rig/fault_plan.py" --frames "${1:-240}" >/run/rig/plan
start_webcam --fps 30 --mjpeg 1280x720="$(clip 720p-420)" --faults /run/rig/plan
"$python" "$rig/watch_faults.py" --program retake --retake "$RETAKE_BINARY" --node "$webcam" \
  --log "$webcam_log" --frames "${1:-240}" --clip "$(clip 720p-420)" --directory /run/rig \
  >"$RIG_OUTPUT/faults.json" || fail "the frames were not judged"
cat "$RIG_OUTPUT/faults.json"
"$python" -c '
import json, sys
found = json.load(open(sys.argv[1]))
sys.exit(bool(found["damagedPublished"] or found["goodDropped"] or not found["damagedSent"]))
' "$RIG_OUTPUT/faults.json" || fail "see above"
