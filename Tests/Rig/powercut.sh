# Cuts the power at many points of recorded sessions, and looks what the library has of them.
# limit: 2400
# clips: 480p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"
need_retake

modprobe -a loop ext4 dm-mod dm-log-writes || fail "no loop, ext4 or dm-log-writes"
mkdir -p /disk
# The sessions, the checks and the disk's behaviour at a cut are described in powercut.py.
"$python" "$rig/powercut.py" --retake "$RETAKE_BINARY" --clip "$(clip 480p-420)" --output "$RIG_OUTPUT" "$@" ||
  fail "powercut.py ended with $?"
