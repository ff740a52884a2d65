# A disk that fills, turns read-only, loses its directory, and a clock that is set back, under a
# station that keeps running: no photo is lost or replaced, and it recovers by itself.
# limit: 300
# clips: 480p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

start_disk
"$python" "$rig/library_disk.py" --retake "$RETAKE_BINARY" --clip "$(clip 480p-420)" \
  --output "$RIG_OUTPUT" || fail "library_disk.py ended with $?"
