# A v4l2loopback camera whose feed ends and returns: noticed, said, and used again.
# limit: 120
# clips: 720p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
command -v ffmpeg >/dev/null || skip "ffmpeg is not installed"

start_loopback "$(clip 720p-420)" 15
log=$RIG_OUTPUT/retake.log
cat >/run/rig/retake.toml <<C
[camera]
device = "$loopback"
fallback = []
[library]
path = "$RIG_OUTPUT"
allow-volatile = true
[socket]
path = "/run/rig/socket"
C
retake run --config /run/rig/retake.toml --log info --frame-log /run/rig/frames 2>"$log" &
station=$!
wait_for 20 "the station" grep -q "using " "$log"

# published: frames that were published so far.
published() { grep -cE ' (clean|repairable)$' /run/rig/frames; }
# more_than COUNT
more_than() { [ "$(published)" -gt "$1" ]; }
wait_for 20 "frames" more_than 5

for round in 1 2 3; do
  kill "$loopback_process"
  wait "$loopback_process"
  ended=$(now_ns)
  lines=$(wc -l <"$log")
  said() { tail -n "+$((lines + 1))" "$log" | grep -qE ' camera .*: (stalled|failed|not plugged in|no signal|used by)'; }
  wait_for 20 "the station to say that the feed has ended" said
  said=$(now_ns)
  before=$(published)
  feed "$(clip 720p-420)" 15
  returned=$(now_ns)
  wait_for 20 "frames after the feed's return" more_than $((before + 5))
  echo "round $round: said after $(((said - ended) / 1000000)) ms, on again $((($(now_ns) - returned) / 1000000)) ms after the feed"
  gone "$station" && fail "the station ended"
done
grep -E 'camera ' "$log" | tail -n 20
kill "$station"
wait "$station" || fail "the station ended with $?"
