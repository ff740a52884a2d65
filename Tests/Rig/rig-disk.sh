# The rig's own disk keeps unnamed files and links them, as the library needs it.
# limit: 120
. "${BASH_SOURCE[0]%/*}/lib.sh"

start_disk
[ "$(stat -f -c %T /disk)" = ext2/ext3 ] || fail "/disk is $(stat -f -c %T /disk)"
"$python" - <<'P' || fail "no O_TMPFILE"
import os
file = os.open("/disk", os.O_TMPFILE | os.O_RDWR, 0o644)
os.write(file, b"candidate")
os.fsync(file)
os.link(f"/proc/self/fd/{file}", "/disk/photo", src_dir_fd=file)  # by linkat, which follows
P
[ "$(cat /disk/photo)" = candidate ] || fail "what was linked is not what was written"
