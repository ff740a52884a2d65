# Boots from a disk that a power cut left: the station starts, and has every photo that was saved.
# limit: 300
# clips: 480p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake
[ $# -eq 1 ] || skip "needs what scripts/vm powercut --points N prepares"

start_disk
# The station is started as at every boot, without a repair.
"$python" "$rig/powercut.py" --retake "$RETAKE_BINARY" --clip "$(clip 480p-420)" --output "$RIG_OUTPUT" --after-boot "$1" ||
  fail "powercut.py ended with $?"
