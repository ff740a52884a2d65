# The rig's own loopback camera: a program feeds it, others see MJPEG.
# limit: 120
# clips: 720p-420
. "${BASH_SOURCE[0]%/*}/lib.sh"
command -v ffmpeg >/dev/null || skip "ffmpeg is not installed"

start_loopback "$(clip 720p-420)" 15
v4l2-ctl -d "$loopback" --get-fmt-video
timeout 30 v4l2-ctl -d "$loopback" --stream-mmap=4 --stream-count=20 --stream-to=/run/rig/frames \
  >/dev/null 2>&1
[ -s /run/rig/frames ] || fail "no frames"
