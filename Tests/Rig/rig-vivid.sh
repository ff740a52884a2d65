# The rig's own raw camera gives YUYV at the asked rate.
# limit: 120
. "${BASH_SOURCE[0]%/*}/lib.sh"

start_vivid 640 480 25
v4l2-ctl -d "$vivid" --get-fmt-video --get-parm
timeout 30 v4l2-ctl -d "$vivid" --stream-mmap=4 --stream-count=25 --stream-to=/run/rig/frames \
  >/dev/null 2>&1
[ "$(stat -c %s /run/rig/frames)" -eq $((25 * 640 * 480 * 2)) ] || fail "not 25 whole frames"
